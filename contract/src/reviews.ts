/** What clients say of visits they kept, and what is answered. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { id, locales, message, pageOf, pageQuery, text } from './wire.ts'

/** The four questions, in the order they are asked. */
export const gradeNames = ['welcoming', 'hygiene', 'atmosphere', 'serviceQuality'] as const
/** `welcoming`, `hygiene`, `atmosphere` or `serviceQuality`. */
export type GradeName = (typeof gradeNames)[number]

/** A visit can be reviewed from when it is done until so many days after it ended. */
export const reviewDays = 90
/** Longest text of a review. */
export const reviewLength = 2000
/** Longest answer of an institute. */
export const replyLength = 2000
/** Most pictures of one review, and the bytes each may have. */
export const reviewPictures = { most: 4, bytes: 10_000_000 } as const

/** Why somebody reports a review. */
export const reportReasons = ['insult', 'private', 'advertising', 'not_a_visit', 'other'] as const
/** Orders of a list of reviews. */
export const reviewOrders = ['newest', 'highest', 'lowest'] as const
/** `newest`, `highest` or `lowest`. */
export type ReviewOrder = (typeof reviewOrders)[number]

/** As text beside files, or as a number. */
const grade = z.coerce.number().check(z.int(), z.gte(1), z.lte(5))
const grades = { welcoming: grade, hygiene: grade, atmosphere: grade, serviceQuality: grade }

const picture = z.object({ url: z.string(), width: z.int(), height: z.int() })

const review = z.object({
  _id: z.string(),
  /** First name and initial; null when the account is gone. */
  author: z.nullable(z.string()),
  /** Instant, ISO. */
  createdAt: z.string(),
  /** The language it is written in. */
  language: z.enum(locales),
  welcoming: z.int(),
  hygiene: z.int(),
  atmosphere: z.int(),
  serviceQuality: z.int(),
  /** The mean of the four, with one or two digits. */
  rating: z.number(),
  text: z.string(),
  pictures: z.array(picture),
  /** What was done, and by whom, in the order of the visit. */
  services: z.array(z.object({ name: z.string(), staffName: z.string() })),
  reply: z.nullable(z.object({ text: z.string(), createdAt: z.string() })),
})
export type Review = z.output<typeof review>

/** Why a visit cannot be reviewed (any more). */
export const notReviewable = ['not_yet', 'not_kept', 'too_late', 'own_institute'] as const

const reviewPage = z.extend(pageOf(review), {
  /** Of all, whatever is filtered. */
  rating: z.object({ average: z.number(), count: z.int() }),
  averages: z.object({
    welcoming: z.nullable(z.number()),
    hygiene: z.nullable(z.number()),
    atmosphere: z.nullable(z.number()),
    serviceQuality: z.nullable(z.number()),
  }),
  /** How many have five stars, four, and so on; the mean of the four grades, half up. */
  breakdown: z.array(z.object({ stars: z.int(), count: z.int() })),
  withPictures: z.int(),
  /** Languages that something is written in, the most used first. */
  languages: z.array(z.object({ language: z.enum(locales), count: z.int() })),
})
export type ReviewPage = z.output<typeof reviewPage>

/** Writing, reading, answering and reporting reviews. */
export const reviewCalls = defineCalls({
  instituteReviews: {
    method: 'GET',
    path: '/api/v1/client/institutes/:slug/reviews',
    access: 'public',
    tag: 'reviews',
    summary: 'Reviews of an institute with its averages, how many have how many stars, and filters',
    params: z.object({ slug: z.string().check(z.minLength(1), z.maxLength(120)) }),
    query: z.object({
      ...pageQuery,
      stars: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(5))),
      withPictures: z.optional(z.literal('true')),
      language: z.optional(z.enum(locales)),
      sort: z._default(z.enum(reviewOrders), 'newest'),
    }),
    answer: reviewPage,
  },
  writeReview: {
    method: 'POST',
    path: '/api/v1/secure/appointments/:id/review',
    access: { of: 'self', verified: true },
    tag: 'reviews',
    summary: 'Review a visit of mine that is done, once, within 90 days; as JSON, or multipart with pictures',
    params: z.object({ id }),
    body: z.object({ ...grades, text: z._default(text(reviewLength, 0), '') }),
    files: { pictures: { least: 0, ...reviewPictures } },
    status: 201,
    answer: review,
    refusals: ['already_reviewed', 'not_reviewable', 'too_large', 'wrong_type'],
  },
  ownReview: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/review',
    access: { of: 'self', verified: true },
    tag: 'reviews',
    summary: 'What I wrote of a visit of mine, or until when I can and under which name',
    params: z.object({ id }),
    answer: z.object({
      review: z.nullable(review),
      /** An operator took it off the page. */
      isHidden: z.boolean(),
      mayReview: z.boolean(),
      /** Why not; null when it is possible or was done. */
      reason: z.nullable(z.enum(notReviewable)),
      /** Instant, ISO. */
      until: z.string(),
      /** The name it will be shown with. */
      author: z.string(),
    }),
  },
  reportReview: {
    method: 'POST',
    path: '/api/v1/secure/reviews/:id/report',
    access: { of: 'self', verified: true },
    tag: 'reviews',
    summary: 'Say that a review breaks the rules; an operator decides. Once more changes nothing',
    params: z.object({ id }),
    body: z.object({ reason: z.enum(reportReasons), note: z._default(text(1000, 0), '') }),
    answer: message,
  },
  replyToReview: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/reviews/:id/reply',
    access: { of: 'institute', may: 'reviews.answer' },
    tag: 'reviews',
    summary: 'Answer a review of my institute in public; another answer replaces it',
    params: z.object({ id }),
    body: z.object({ text: text(replyLength) }),
    answer: review,
  },
  contestReview: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/reviews/:id/contest',
    access: { of: 'institute', may: 'reviews.answer' },
    tag: 'reviews',
    summary: 'Say for my institute why a review should not stand; an operator decides. Once more changes nothing',
    params: z.object({ id }),
    body: z.object({ reason: z.enum(reportReasons), note: text(1000) }),
    answer: message,
  },
})

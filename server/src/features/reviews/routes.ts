import { reviewCalls } from '@soigne/contract/reviews'
import type { AppContext } from '#/platform/app-context.ts'
import { serve, type Served } from '#/platform/calls.ts'
import { translate } from '#/texts/translate.ts'
import { contestReview, ownReview, replyToReview, reportReview, reviewsOf, writeReview } from './service.ts'

export const reviewCallsServed = (context: AppContext): Served[] =>
  serve(reviewCalls, {
    instituteReviews: async ({ params, query }, { scope, locale }) => reviewsOf(context, scope, { ...params, ...query }, locale),
    writeReview: async ({ params, body, files }, { scope, locale }) =>
      writeReview(context, scope, { id: params.id, body, pictures: files.pictures }, locale),
    ownReview: async ({ params }, { scope, locale }) => ownReview(context, scope, params.id, locale),
    async reportReview({ params, body }, { scope, locale }) {
      await reportReview(context, scope, { id: params.id, ...body })
      return { message: translate(locale, 'messages', 'reviewReported') }
    },
    replyToReview: async ({ params, body }, { scope, locale }) => replyToReview(context, scope, { id: params.id, ...body }, locale),
    async contestReview({ params, body }, { scope, locale }) {
      await contestReview(context, scope, { id: params.id, ...body })
      return { message: translate(locale, 'messages', 'reviewReported') }
    },
  })

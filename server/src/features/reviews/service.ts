/** Reviews of visits that were kept: who may write one, what stands under an institute, and its answers. */
import type { SentFile } from '@soigne/contract/define'
import { type notReviewable, type Review, reviewDays, type ReviewOrder, type ReviewPage } from '@soigne/contract/reviews'
import { dayMs, hourMs } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { type TakenFile, takeFile, useFile } from '#/features/files/service.ts'
import { type AppointmentRow, attendanceAt, findVisit } from '#/features/visits/service.ts'
import type { InstituteScope, PublicScope, SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { recordEvents } from '#/platform/events.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { refuse } from '#/platform/refuse.ts'
import { figuresOf, meanOf, reviewForWire, shownName } from './present.ts'
import {
  authorOf,
  averagesOf,
  countsOf,
  insertContest,
  insertPictures,
  insertReport,
  insertReview,
  listReviews,
  reviewOfInstitute,
  reviewOfVisit,
  setReply,
} from './store.ts'

type AtDesk = InstituteScope<'reviews.answer'>
type Reason = (typeof notReviewable)[number]

interface Grades {
  welcoming: number
  hygiene: number
  atmosphere: number
  serviceQuality: number
}

const untilOf = ({ endsAt }: AppointmentRow): number => parseInstant(endsAt) + reviewDays * dayMs

/** Marked, or by the hour: an institute that noted no more than that its client came keeps nobody from saying how it was. */
const isDone = (visit: AppointmentRow, now: number): boolean =>
  attendanceAt(visit, now) === 'done' || now >= parseInstant(visit.endsAt) + hourMs

/** Why a visit cannot be reviewed; null when it can. */
function reasonAgainst(visit: AppointmentRow, isOfTeam: boolean, now: number): Reason | null {
  if (visit.life !== 'booked' || visit.attendance === 'no_show') return 'not_kept'
  if (isOfTeam) return 'own_institute'
  if (!isDone(visit, now)) return 'not_yet'
  return now > untilOf(visit) ? 'too_late' : null
}

/** The visit with what speaks against reviewing it, and the name it would be shown with. @throws not_found */
async function reviewable(db: Db, scope: SelfScope, id: string, now: number) {
  const visit = await findVisit(db, scope, { id })
  if (!visit || visit.life === 'held') throw refuse('not_found')
  const author = await authorOf(db, scope, visit.instituteId)
  if (!author) throw refuse('unauthorized')
  return { visit, author: shownName(author), reason: reasonAgainst(visit, author.isOfTeam, now) }
}

/** Pictures are taken one after the other: each is opened in a process of its own. */
async function takePictures(context: AppContext, scope: SelfScope, pictures: readonly SentFile[]): Promise<TakenFile[]> {
  const taken: TakenFile[] = []
  for (const picture of pictures) taken.push(await takeFile(context, scope, 'review_picture', picture))
  return taken
}

/** @throws not_found, not_reviewable with the reason, already_reviewed, wrong_type naming the picture */
export async function writeReview(
  context: AppContext,
  scope: SelfScope,
  asked: { id: string; body: Grades & { text: string }; pictures: readonly SentFile[] },
  locale: Locale,
): Promise<Review> {
  const { database, clock } = context
  const now = clock.now()
  const { visit, author, reason } = await reviewable(database.db, scope, asked.id, now)
  // Said before pictures are opened, and again by the database.
  if (await reviewOfVisit(database.db, scope, asked.id)) throw refuse('already_reviewed')
  if (reason !== null) throw refuse('not_reviewable', { reason })
  const taken = await takePictures(context, scope, asked.pictures)
  const { instituteId } = visit
  return inTransaction(database.db, async (transaction) => {
    const one = { ...asked.body, appointmentId: asked.id, instituteId, author, language: locale, now: new Date(now) }
    const reviewId = await insertReview(transaction, scope, one)
    if (reviewId === null) throw refuse('already_reviewed')
    for (const file of taken) await useFile(transaction, scope, file)
    const pictures = taken.map(({ key, width, height }) => ({ key, width: width ?? 1, height: height ?? 1 }))
    await insertPictures(transaction, scope, { reviewId, pictures })
    const payload = { appointmentId: asked.id, userId: scope.userId, rating: meanOf(asked.body) }
    const at = instantText(now)
    await recordEvents(transaction, [{ kind: 'review.written', instituteId, subjectId: reviewId, actor: scope.actor, payload, at }])
    const row = await reviewOfVisit(transaction, scope, asked.id)
    if (!row) throw new Error('a review that was written is not there')
    return reviewForWire(context, row, locale)
  })
}

interface Own {
  review: Review | null
  isHidden: boolean
  mayReview: boolean
  reason: Reason | null
  until: string
  author: string
}
/** @throws not_found */
export async function ownReview(context: AppContext, scope: SelfScope, id: string, locale: Locale): Promise<Own> {
  const { db } = context.database
  const { visit, author, reason } = await reviewable(db, scope, id, context.clock.now())
  const row = await reviewOfVisit(db, scope, id)
  return {
    review: row && reviewForWire(context, row, locale),
    isHidden: row?.state === 'hidden',
    mayReview: !row && reason === null,
    reason: row ? null : reason,
    until: instantText(untilOf(visit)),
    author,
  }
}

interface Asked {
  page: number
  pageSize: number
  stars?: number | undefined
  withPictures?: 'true' | undefined
  language?: Locale | undefined
  sort: ReviewOrder
}
/** @throws not_found */
export async function reviewsOf(
  context: AppContext,
  scope: PublicScope,
  { slug, ...asked }: Asked & { slug: string },
  locale: Locale,
): Promise<ReviewPage> {
  const { prepared: db } = context.database
  const averages = await averagesOf(db, scope, slug)
  if (!averages) throw refuse('not_found')
  const { page, pageSize, sort } = asked
  const filters = { stars: asked.stars ?? null, withPictures: asked.withPictures === 'true', language: asked.language ?? null }
  const instituteId = averages.id
  const rows = await listReviews(db, scope, { instituteId, ...filters, sort, offset: (page - 1) * pageSize, limit: pageSize })
  const items = rows.map((row) => reviewForWire(context, row, locale))
  return { items, page, pageSize, ...figuresOf(averages, await countsOf(db, scope, instituteId), filters) }
}

/** Another answer takes the place of the one before. @throws not_found */
export async function replyToReview(
  context: AppContext,
  scope: AtDesk,
  asked: { id: string; text: string },
  locale: Locale,
): Promise<Review> {
  const now = context.clock.now()
  const { instituteId, actor } = scope
  return inTransaction(context.database.db, async (transaction) => {
    const replied = await setReply(transaction, scope, { ...asked, now: new Date(now) })
    if (!replied) throw refuse('not_found')
    const payload = { appointmentId: replied.appointmentId, isNew: !replied.wasReplied }
    await recordEvents(transaction, [{ kind: 'review.replied', instituteId, subjectId: asked.id, actor, payload, at: instantText(now) }])
    const row = await reviewOfInstitute(transaction, scope, asked.id)
    if (!row) throw refuse('not_found')
    return reviewForWire(context, row, locale)
  })
}

interface Complaint {
  id: string
  reason: string
  note: string
}
/** @throws not_found */
export async function reportReview({ database: { db }, clock }: AppContext, scope: SelfScope, asked: Complaint): Promise<void> {
  if (!(await insertReport(db, scope, { ...asked, now: new Date(clock.now()) }))) throw refuse('not_found')
}

/** @throws not_found */
export async function contestReview({ database: { db }, clock }: AppContext, scope: AtDesk, asked: Complaint): Promise<void> {
  if (!(await insertContest(db, scope, { ...asked, now: new Date(clock.now()) }))) throw refuse('not_found')
}

export { decideOnReview, openReports } from './decisions.ts'

/** Who is on which side of a conversation: the client, or those of the institute whose level may answer. */
import { grants, type Level } from '#/grants.ts'
import { memberships } from '#/features/people/service.ts'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { type DeskScope, findParties, type ChatScope } from './chat-store.ts'

const mayAnswer = (level: string): boolean =>
  (grants.levels[level as Level] as readonly string[] | undefined)?.includes('messages.answer') ?? false

/** The institutes whose messages somebody answers; their own first. */
export const institutesAnswered = async (
  context: Pick<AppContext, 'database'>,
  scope: SelfScope,
): Promise<{ instituteId: string; level: string }[]> =>
  (await memberships(context).institutesOf(scope))
    .filter(({ level }) => mayAnswer(level))
    .map(({ instituteId, level }) => ({ instituteId, level }))

/** @throws not_found for a conversation of others, as for one that is not there */
export async function seatOf(context: AppContext, scope: SelfScope<true>, chatId: string): Promise<ChatScope> {
  const parties = await findParties(context.database.prepared, scope, chatId)
  if (!parties) throw refuse('not_found')
  const { clientId, instituteId } = parties
  if (clientId === scope.userId) return { scope, userId: clientId, side: 'client', chatId, instituteId, clientId, actor: scope.actor }
  const place = (await institutesAnswered(context, scope)).find((one) => one.instituteId === instituteId)
  if (!place) throw refuse('not_found')
  const { userId } = scope
  return { scope, userId, side: 'institute', chatId, instituteId, clientId, actor: { kind: 'institute', userId, ...place } }
}

/** @throws not_found for a conversation of another institute; forbidden for who is no person */
export async function deskSeatOf(context: AppContext, scope: InstituteScope<'messages.answer'>, chatId: string): Promise<ChatScope> {
  const { actor, instituteId } = scope
  if (actor.kind !== 'institute') throw refuse('forbidden')
  const parties = await findParties(context.database.prepared, scope, chatId)
  if (parties?.instituteId !== instituteId) throw refuse('not_found')
  return { scope, userId: actor.userId, side: 'institute', chatId, instituteId, clientId: parties.clientId, actor }
}

/** @throws forbidden for who answers for no institute */
export async function deskOf(context: AppContext, scope: SelfScope<true>, side: 'client' | 'institute'): Promise<DeskScope> {
  if (side === 'client') return { side, userId: scope.userId }
  const [place] = await institutesAnswered(context, scope)
  if (!place) throw refuse('forbidden')
  return { side, instituteId: place.instituteId }
}

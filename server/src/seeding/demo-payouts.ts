/** What the sandbox has paid out to an institute of the demo until now, as the job that reads payouts would have kept it. */
import type { TableRows } from '@soigne/demo/rows/tables'
import { type HouseMove, payoutsOf, waitingOf } from '#/features/sandbox-payments/service.ts'
import { instantText } from '#/platform/instants.ts'
import { steadyId } from '#/platform/steady-id.ts'

const provider = 'sandbox'

export interface MovesOfInstitute {
  instituteId: string
  moves: readonly HouseMove[]
  /** By how the provider calls the payment. */
  checkouts: ReadonlyMap<string, string>
  now: number
}

type Made = ReturnType<typeof payoutsOf>[number]

function payoutRow({ payout }: Made, institute_id: string) {
  const { reference, amount, currency, state, problem, at, arrivesOn } = payout
  return {
    id: steadyId(`${institute_id} payout ${reference}`),
    institute_id,
    provider,
    reference,
    amount,
    currency,
    state,
    problem,
    made_at: instantText(at),
    arrives_on: arrivesOn,
    parts: 'read',
  }
}

/** Read now: what comes next goes into the next ones. */
export function payoutRows({ instituteId: institute_id, moves, checkouts, now }: MovesOfInstitute): TableRows[] {
  if (moves.length === 0) return []
  const made = payoutsOf(moves, now).map((one) => ({ row: payoutRow(one, institute_id), moves: one.moves }))
  const parts = made.flatMap(({ row: { id: payout_id }, moves: ofPayout }) =>
    ofPayout.map(({ reference, kind, paymentReference, amount, fees, said, at }) => ({
      payout_id,
      institute_id,
      reference,
      kind,
      checkout_id: checkouts.get(paymentReference ?? '') ?? null,
      amount,
      provider_fee: fees.provider,
      site_fee: fees.site,
      tax: fees.tax,
      said,
      moved_at: instantText(at),
    })),
  )
  const at = instantText(now)
  const read = { institute_id, provider, tried_at: at, read_at: at, failed: null, waiting: waitingOf(moves, now), waiting_at: at }
  return [
    ['payouts', made.map(({ row }) => row)],
    ['payout_moves', parts],
    ['payout_reads', [read]],
  ]
}

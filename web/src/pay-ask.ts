// What the last step of a booking asks for once it is known what is paid online, and how.
import type { Calls } from '@soigne/contract/calls'
import type { Input } from '@soigne/contract/define'

type BookBody = NonNullable<Input<Calls['book']>['body']>

export type PayAsk = {
  /** On the button, where something is paid now. */
  label: string | null
  /** What is paid now, in a sentence. */
  lede: string
  /** What is left for the salon. */
  atSalon: string
  /** What cancelling after the free time costs; absent where that can be done by telephone only. */
  after?: string
  /** What goes with the booking. */
  body: Pick<BookBody, 'pay' | 'paymentMethod' | 'returnTo'>
  /** A checkout is open: the button leads on to it, and nothing is booked anew. */
  goOn?: () => void
  /** On the way to where it is paid. */
  isLeaving: boolean
  /** Goes where it is paid. */
  leave: (url: string) => void
}

// The closed lists of the contract in the order they are shown. The compiler holds them to the contract, whose own
// lists would bring the schemas into the browser.
import type { mostRelaxed, PartOfDay, SortOrder } from '@soigne/contract/institutes'
import type { Audience, Category, Language, PaymentMethod, Weekday } from '@soigne/contract/wire'

type Complete<Union, List extends readonly Union[]> = Exclude<Union, List[number]> extends never ? List : never

function complete<Union>() {
  return <const List extends readonly Union[]>(list: Complete<Union, List>): List => list
}

export const categories = complete<Category>()([
  'barbering',
  'massage',
  'body',
  'counseling',
  'fillers',
  'nails',
  'skincare',
  'fitness',
  'eyebrows',
  'tatto',
  'medical',
  'hair',
  'hair-removal',
  'makeup',
])

export const audiences = complete<Audience>()(['All', 'Men', 'Woman', 'Kids'])
export const languages = complete<Language>()(['English', 'French', 'Arabic', 'Other'])
export const weekdays = complete<Weekday>()(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
export const paymentMethods = complete<PaymentMethod>()(['card', 'paypal', 'klarna'])
export const partsOfDay = complete<PartOfDay>()(['morning', 'afternoon', 'evening'])
export const sortOrders = complete<SortOrder>()(['recommended', 'soonest', 'nearest', 'rating', 'price'])

/** So many or more: what giving up a filter would bring is counted no further. */
export const mostCounted: typeof mostRelaxed = 100

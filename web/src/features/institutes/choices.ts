// The closed lists a search may choose from, in the order they are shown. The compiler holds them to the contract,
// whose own lists would bring the schemas into the browser.
import type { PartOfDay, SortOrder } from '@soigne/contract/institutes'
import type { Audience, Category, Language, PaymentMethod } from '@soigne/contract/wire'

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
export const paymentMethods = complete<PaymentMethod>()(['card', 'paypal', 'klarna'])
export const partsOfDay = complete<PartOfDay>()(['morning', 'afternoon', 'evening'])
export const sortOrders = complete<SortOrder>()(['recommended', 'soonest', 'nearest', 'rating', 'price'])

/** Grades offered as a floor. */
export const ratingFloors = ['4', '4.5', '4.8'] as const
/** Price ceilings offered as one tap; any other stands in the filter form. */
export const priceCeilings = ['30', '50', '80', '120'] as const
/** Kilometres around the place. */
export const radii = ['2', '5', '10', '25', '50'] as const

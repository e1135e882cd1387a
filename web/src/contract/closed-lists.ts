// The closed lists. Made from contract/src by `npm run generate`; not to be changed here.
export const categories = [
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
] as const
export const audiences = ['All', 'Men', 'Woman', 'Kids'] as const
export const languages = ['English', 'French', 'Arabic', 'Other'] as const
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export const venues = ['salon', 'home', 'either'] as const
export const paymentMethods = ['card', 'paypal', 'klarna'] as const
export const partsOfDay = ['morning', 'afternoon', 'evening'] as const
export const sortOrders = ['recommended', 'nearest', 'soonest', 'rating', 'price'] as const
export const gradeNames = ['welcoming', 'hygiene', 'atmosphere', 'serviceQuality'] as const
export const reviewOrders = ['newest', 'highest', 'lowest'] as const
export const reportReasons = ['insult', 'private', 'advertising', 'not_a_visit', 'other'] as const

// Reviews of component tests.
import type { Review, ReviewPage } from '@soigne/contract/reviews'

export const reviewOf = (part: Partial<Review> = {}): Review => ({
  _id: '019b0000-0000-7000-8000-00000000cccc',
  author: 'Camille R.',
  createdAt: '2031-03-10T15:00:00.000Z',
  language: 'en',
  welcoming: 5,
  hygiene: 5,
  atmosphere: 4,
  serviceQuality: 4,
  rating: 4.5,
  text: 'Three weeks later, not a chip.',
  pictures: [],
  services: [{ name: 'Gel manicure', staffName: 'Inès' }],
  reply: null,
  ...part,
})

export const reviewPageOf = (items: Review[], part: Partial<ReviewPage> = {}): ReviewPage => ({
  items,
  page: 1,
  pageSize: 10,
  total: items.length,
  rating: { average: 4.5, count: items.length },
  averages: { welcoming: 5, hygiene: 5, atmosphere: 4, serviceQuality: 4 },
  breakdown: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: stars === 5 ? items.length : 0 })),
  withPictures: 0,
  languages: [{ language: 'en', count: items.length }],
  ...part,
})

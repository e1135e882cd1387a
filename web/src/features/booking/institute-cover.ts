// The first picture of an institute: a real one, or its cut paper in the wide cut.
import type { Institute } from '@soigne/contract/institutes'
import { coverAddress } from '#/theme/art/art-address.ts'

export type InstituteCover = { url: string; isArt: boolean }

export function coverOf({ pictures, categories, slug }: Pick<Institute, 'pictures' | 'categories' | 'slug'>): InstituteCover {
  const [picture] = pictures
  if (picture && !picture.url.startsWith('/art/')) return { url: picture.url, isArt: false }
  const own = picture?.url.startsWith('/art/cover/') ? picture.url.split('?')[0] : undefined
  return { url: own ? `${own}?shape=wide` : coverAddress({ category: categories[0] ?? 'hair', seed: slug, shape: 'wide' }), isArt: true }
}

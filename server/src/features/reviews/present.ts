/** Reviews as the wire shows them. */
import type { Review, ReviewPage } from '@soigne/contract/reviews'
import { type Locale, locales } from '@soigne/contract/wire'
import { fileAddress } from '#/features/files/service.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { localised } from '#/texts/translate.ts'
import type { AveragesRow, CountRow, Filters, ReviewRow } from './store.ts'

/** First name and initial, as everybody sees it. */
export function shownName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  const [initial = ''] = new Intl.Segmenter().segment(lastName.trim())[Symbol.iterator]().toArray()
  return [firstName.trim(), typeof initial === 'string' ? '' : `${initial.segment.toUpperCase()}.`].filter(Boolean).join(' ').slice(0, 90)
}

export const meanOf = (row: Pick<ReviewRow, 'welcoming' | 'hygiene' | 'atmosphere' | 'serviceQuality'>): number =>
  (row.welcoming + row.hygiene + row.atmosphere + row.serviceQuality) / 4

export function reviewForWire(context: AppContext, row: ReviewRow, locale: Locale): Review {
  const { welcoming, hygiene, atmosphere, serviceQuality, author, language, text, createdAt } = row
  return {
    _id: row.id,
    author,
    createdAt,
    language,
    welcoming,
    hygiene,
    atmosphere,
    serviceQuality,
    rating: meanOf(row),
    text,
    pictures: row.pictures.map(({ key, width, height }) => ({ url: fileAddress(context, key), width, height })),
    services: row.services.map(({ name, staffName }) => ({ name: localised(name, locale) ?? '', staffName })),
    reply: row.reply === null || row.repliedAt === null ? null : { text: row.reply, createdAt: row.repliedAt },
  }
}

const countOf = (rows: readonly CountRow[]): number => rows.reduce((sum, { count }) => sum + count, 0)

const fits =
  ({ stars, withPictures, language }: Filters) =>
  (row: CountRow): boolean =>
    (stars === null || row.stars === stars) && (!withPictures || row.withPictures) && (language === null || row.language === language)

type Figures = Pick<ReviewPage, 'total' | 'rating' | 'averages' | 'breakdown' | 'withPictures' | 'languages'>
export function figuresOf({ count, average, ...row }: AveragesRow, counts: readonly CountRow[], filters: Filters): Figures {
  return {
    total: countOf(counts.filter(fits(filters))),
    rating: { average: average ?? 0, count },
    averages: {
      welcoming: row.welcoming,
      hygiene: row.hygiene,
      atmosphere: row.atmosphere,
      serviceQuality: row.serviceQuality,
    },
    breakdown: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: countOf(counts.filter((one) => one.stars === stars)) })),
    withPictures: countOf(counts.filter((one) => one.withPictures)),
    languages: locales
      .map((language) => ({ language, count: countOf(counts.filter((one) => one.language === language)) }))
      .filter((one) => one.count > 0)
      .toSorted((a, b) => b.count - a.count),
  }
}

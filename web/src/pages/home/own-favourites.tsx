// The institutes somebody marked last, with their next free times, on the home page of who is signed in. It stands below what a window
// shows at first, so that nothing moves when it comes; whoever marked nothing sees nothing of it.
import type { SessionUser } from '@soigne/contract/session'
import { useQuery } from '@tanstack/react-query'
import { Heart } from '#/features/favourites/heart.tsx'
import { useFavouriteIds } from '#/features/favourites/use-favourites.ts'
import { CardSection } from '#/features/home/free-today.tsx'
import { coversOf } from '#/features/institutes/card-cover.ts'
import { InstituteCard } from '#/features/institutes/institute-card.tsx'
import { paths } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'

/** Shown of those asked for: a few may just have been taken back. */
const most = 4
const asked = { page: 1, pageSize: 10 } as const

export function OwnFavourites({ user }: { user: SessionUser }) {
  const { t } = useTranslation('favourites')
  const ids = useFavouriteIds(user)
  const { data, dataUpdatedAt } = useQuery({
    queryKey: queryKeys.favourites.first,
    queryFn: ({ signal }) => api.favourites({ query: asked }, { signal }),
    enabled: ids !== undefined && ids.length > 0,
  })
  const cards = data?.items.filter(({ _id }) => ids?.includes(_id)).slice(0, most) ?? []
  if (cards.length === 0) return null
  const covers = coversOf(cards, most)
  return (
    <CardSection id="own-favourites" title={t('own.title')} all={{ to: paths.favourites, label: t('own.all') }}>
      {cards.map((card, index) => {
        const cover = covers[index]
        return cover && <InstituteCard key={card._id} card={card} cover={cover} now={dataUpdatedAt} heart={<Heart institute={card} />} />
      })}
    </CardSection>
  )
}

// Home: a free hour near you, seen by clients; or, for guests who ask for it, what professionals get.
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import { Suspense } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Navigate, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { coversOf, onSheets } from '#/features/institutes/card-cover.ts'
import { categories } from '#/contract/closed-lists.ts'
import { InstituteCard } from '#/features/institutes/institute-card.tsx'
import { SearchBar } from '#/features/search/search-bar.tsx'
import { readFilters, type Filters } from '#/search-filters.ts'
import { institutesPath, paths } from '#/paths.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { serverContext, type PageServer } from '#/platform/server-context.ts'
import { useSession } from '#/platform/session.tsx'
import { addDays, dayOf } from '#/platform/time.ts'
import { CategoryStrip } from '#/features/home/category-strip.tsx'
import { FreeToday, type FreeTodayProps } from '#/features/home/free-today.tsx'
import { Heart } from '#/features/favourites/heart.tsx'
import { GapBoard } from '#/features/home/gap-board.tsx'
import { GradesPanel, type RealGrades } from '#/features/home/grades-panel.tsx'
import { HeroWindows } from '#/features/home/hero-windows.tsx'
import { ProBand } from '#/features/home/pro-band.tsx'
import { ProView } from '#/features/home/pro-view.tsx'
import { preloadSlopingFace } from '#/theme/fonts.ts'
import styles from './home-page.module.css'
import { lazily } from '#/ui/lazily.tsx'

const Returning = lazily(async () => (await import('./returning.tsx')).Returning)
const OwnFavourites = lazily(async () => (await import('./own-favourites.tsx')).OwnFavourites)
const Greeting = lazily(async () => (await import('./returning.tsx')).Greeting)

type HomeAnswer = Answer<Calls['home']>

export const handle = { namespaces: ['home', 'search', 'institutes', 'labels', 'prices'] }

/** Who is free today or, at night, next. */
const freeSoon = ({ freeToday, freeNext }: HomeAnswer): HomeAnswer['freeToday'] => (freeToday.length > 0 ? freeToday : freeNext)

/** The four averages of the institute most people rated, of those shown. */
async function realGrades(server: PageServer, home: HomeAnswer): Promise<RealGrades | null> {
  const most = freeSoon(home).reduce<HomeAnswer['freeToday'][number] | null>(
    (best, card) => (card.rating.count > (best?.rating.count ?? 0) ? card : best),
    null,
  )
  if (!most) return null
  const { averageWelcoming, averageHygiene, averageAtmosphere, averageServiceQuality } = await server.call('institute', {
    params: { slug: most.slug },
  })
  if (averageWelcoming === null || averageHygiene === null) return null
  if (averageAtmosphere === null || averageServiceQuality === null) return null
  return {
    name: most.name,
    slug: most.slug,
    welcoming: averageWelcoming,
    hygiene: averageHygiene,
    atmosphere: averageAtmosphere,
    serviceQuality: averageServiceQuality,
  }
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  if (query.get('view') === 'pro') return { view: 'pro' as const }
  const server = context.get(serverContext)
  const { lat, lon } = readFilters(query)
  const home = await server.call('home', { query: lat && lon ? { lat, lon } : {} })
  return { view: 'client' as const, home, grades: await realGrades(server, home), now: server.now }
}

/** The zone days are counted in: the one of the institutes around. */
function zoneOf(home: HomeAnswer): string {
  return freeSoon(home)[0]?.timeZone ?? home.gaps[0]?.timeZone ?? 'UTC'
}

/** The day of the cards, as the institutes count days. */
function dayOfCards(home: HomeAnswer, now: number): FreeTodayProps['free'] {
  if (home.freeToday.length > 0) return 'today'
  const [first] = home.freeNext
  const [time] = first?.nextTimes ?? []
  if (!first || !time) return null
  return dayOf(time.startsAt, first.timeZone) === addDays(dayOf(now, first.timeZone), 1) ? 'tomorrow' : 'later'
}

function nearOf({ place }: HomeAnswer): Filters {
  return { place: place.name, lat: place.lat.toFixed(4), lon: place.lon.toFixed(4) }
}

/** The promise for guests; who is signed in is greeted instead, on as many lines. */
function Words() {
  const { t } = useTranslation('home')
  const session = useSession()
  const promise = (
    <>
      {t('hero.first')}
      <br />
      <i>{t('hero.second')}</i>
    </>
  )
  if (session.kind === 'user' || session.kind === 'loading') {
    return (
      <h1 className={`d1 ${styles.greeting}`}>
        {session.kind === 'user' && (
          <Suspense>
            <Greeting firstName={session.user.firstName} />
          </Suspense>
        )}
      </h1>
    )
  }
  return (
    <>
      <h1 className={session.kind === 'failed' ? 'd1' : 'd1 guest-only'}>{promise}</h1>
      <p className={`lede ${styles.lede} ${session.kind === 'failed' ? '' : 'guest-only'}`}>{t('hero.lede')}</p>
      {session.kind === 'unread' && <div className={`user-only d1 ${styles.greeting}`} />}
    </>
  )
}

type ClientHomeProps = { home: HomeAnswer; grades: RealGrades | null; now: number }

function ClientHome({ home, grades, now }: ClientHomeProps) {
  const { t, i18n } = useTranslation('home')
  preloadSlopingFace(i18n.language)
  const zone = zoneOf(home)
  const near = nearOf(home)
  const shown = freeSoon(home).slice(0, 8)
  const covers = onSheets(coversOf(shown, 4), 8)
  const session = useSession()
  const windows = <HeroWindows windows={home.windows} place={home.place.name} now={now} />
  return (
    <>
      <PageHead title={t('title')} description={t('description')} path={paths.home} image="/og/home.png" />
      <section className={`page ${styles.hero}`}>
        <div className={styles.opening}>
          <div className={styles.words}>
            <Words />
          </div>
          <div className={styles.search}>
            <SearchBar filters={near} now={now} zone={zone} />
          </div>
          <div className={styles.windows}>
            {session.kind !== 'user' && <div className="guest-only">{windows}</div>}
            <div className={`user-only ${styles.own}`}>
              {session.kind === 'user' && (
                <Suspense>
                  <Returning windows={windows} />
                </Suspense>
              )}
              {session.kind === 'failed' && windows}
            </div>
          </div>
        </div>
        <CategoryStrip categories={categories} place={home.place} />
      </section>
      <FreeToday
        place={home.place.name}
        allPath={institutesPath(near)}
        tomorrowPath={institutesPath({ ...near, day: addDays(dayOf(now, zone), 1) })}
        free={dayOfCards(home, now)}
      >
        {shown.map((card, index) => {
          const cover = covers[index]
          return cover && <InstituteCard key={card._id} card={card} cover={cover} now={now} heart={<Heart institute={card} />} />
        })}
      </FreeToday>
      {session.kind === 'user' && (
        <Suspense>
          <OwnFavourites user={session.user} />
        </Suspense>
      )}
      <GapBoard home={home} now={now} />
      <GradesPanel grades={grades} />
      <ProBand />
    </>
  )
}

export default function HomePage() {
  const data = useLoaderData<typeof loader>()
  const session = useSession()
  if (data.view === 'client') return <ClientHome {...data} />
  // The choice of views is for guests; who is signed in sees the one home.
  if (session.kind === 'user') return <Navigate to={paths.home} replace />
  return (
    <div className="guest-only">
      <ProView />
    </div>
  )
}

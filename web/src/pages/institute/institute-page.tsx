// `/salon/:slug`: one institute, open to all.
import { inLine, placeText } from '#/platform/lists.ts'
import type { Institute } from '@soigne/contract/institutes'
import type { ReviewPage } from '@soigne/contract/reviews'
import { useTranslation } from '#/platform/translation.ts'
import { data, redirect, useLoaderData, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router'
import { CartLines } from '#/features/cart/cart-lines.tsx'
import { usePriceText } from '#/prices.ts'
import { readChoice } from '#/features/cart/choice.ts'
import { priceCart, type PricedCart } from '#/features/cart/priced-cart.ts'
import { BookingPanel } from '#/features/institute/booking-panel.tsx'
import { MessageInstitute } from '#/features/chat/message-institute.tsx'
import { Heart } from '#/features/favourites/heart.tsx'
import { Gallery } from '#/features/institute/gallery.tsx'
import { Grades } from '#/features/institute/grades.tsx'
import { HoursAndPlace } from '#/features/institute/hours-and-place.tsx'
import { InstituteHeading } from '#/features/institute/institute-heading.tsx'
import { PartsNav } from '#/features/institute/parts-nav.tsx'
import { ServiceMenu } from '#/features/institute/service-menu.tsx'
import { scriptJson, structuredData } from '#/features/institute/structured-data.ts'
import { ReviewsList } from '#/features/reviews/reviews-list.tsx'
import { Team } from '#/features/institute/team.tsx'
import { UnclaimedNote } from '#/features/institute/unclaimed-note.tsx'
import { PlaceMap } from '#/map/place-map.tsx'
import { salonPath } from '#/paths.ts'
import { ApiError } from '#/platform/api-error.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { usePageSettings } from '#/platform/page-settings.ts'
import { type PageServer, serverContext } from '#/platform/server-context.ts'
import { CartBar } from './cart-bar.tsx'
import { askedOf, useCart, type Cart } from './use-cart.ts'
import styles from './institute-page.module.css'

export const handle = { namespaces: ['institute', 'cart', 'labels', 'classes', 'map', 'prices', 'reviews'] }

/** So many reviews come with the page. */
const firstReviews = 4

/** The first reviews with all figures; nothing to ask where nobody has written. */
async function firstReviewsOf(server: PageServer, { slug, rating }: Institute): Promise<ReviewPage | null> {
  if (rating.count === 0) return null
  const page = await server.call('instituteReviews', { params: { slug } })
  return { ...page, items: page.items.slice(0, firstReviews) }
}

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const server = context.get(serverContext)
  try {
    const institute = await server.call('institute', { params: { slug: params['slug'] ?? '' } })
    const { search, searchParams } = new URL(request.url)
    // An address it had before.
    if (institute.slug !== params['slug']) throw redirect(salonPath(institute.slug) + search, 301)
    const asked = askedOf(institute, readChoice(searchParams, institute).items)
    const [next, reviews] = await Promise.all([
      asked && server.call('nextTimes', { params: { id: institute._id }, query: asked }),
      firstReviewsOf(server, institute),
    ])
    return { institute, next, reviews, service: asked?.service ?? [], now: server.now }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) throw data(null, { status: 404 })
    throw error
  }
}

/** The cart changes the address with every tap; its times are asked for by themselves. */
export function shouldRevalidate({ currentParams, nextParams }: ShouldRevalidateFunctionArgs) {
  return currentParams['slug'] !== nextParams['slug']
}

function Head({ institute }: { institute: Institute }) {
  const { t, i18n } = useTranslation(['institute', 'labels'])
  const { publicUrl } = usePageSettings()
  const { name, address, categories, slug } = institute
  const what = inLine(
    categories.slice(0, 2).map((category) => t(`labels:categories.${category}`)),
    i18n.language,
  )
  const description = t(institute.claimed ? 'institute:metaDescription' : 'institute:metaDescriptionListed', {
    name,
    what,
    place: placeText({ name: address.quarter ?? '', region: address.city }, i18n.language),
  })
  return (
    <>
      <PageHead
        title={t('institute:pageTitle', { name, city: address.city })}
        description={description}
        path={salonPath(slug)}
        image={`/og/${slug}.png`}
        kind="business.business"
      />
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: scriptJson(structuredData(institute, publicUrl)) }} />
    </>
  )
}

type InstitutePartsProps = { institute: Institute; now: number; cart: Cart }

/** What somebody does with the place as a whole. */
function Personal({ institute }: { institute: Institute }) {
  const { t } = useTranslation('institute')
  return (
    <>
      {institute.claimed && <MessageInstitute institute={institute} label={t('message')} size="small" isShort />}
      <Heart institute={institute} variant="outline" />
    </>
  )
}

/** The parts of the page from the menu to the place. */
function InstituteParts({ institute, now, cart, reviews }: InstitutePartsProps & { reviews: ReviewPage | null }) {
  const { _id, name, location, address } = institute
  const map = <PlaceMap id={_id} name={name} location={location} quarter={address.quarter} city={address.city} />
  return (
    <div>
      <InstituteHeading institute={institute} now={now} heart={<Personal institute={institute} />} />
      <div className={styles.parts}>
        <PartsNav institute={institute} />
        {!institute.claimed && <UnclaimedNote institute={institute} />}
      </div>
      {institute.services.length > 0 && (
        <ServiceMenu
          institute={institute}
          chosen={new Set(cart.choice.items.map(({ serviceId }) => serviceId))}
          togglePath={cart.togglePath}
          now={now}
        />
      )}
      <Team team={institute.team} />
      <Grades institute={institute}>{reviews && <ReviewsList institute={institute} page={reviews} />}</Grades>
      <HoursAndPlace institute={institute} now={now} map={map} />
    </div>
  )
}

function Panel({ institute, now, cart, priced }: InstitutePartsProps & { priced: PricedCart }) {
  const total = usePriceText()
  return (
    <BookingPanel
      {...cart}
      institute={institute}
      now={now}
      onTime={cart.chooseTime}
      lines={<CartLines cart={priced} />}
      total={total(priced.total)}
      durationMinutes={priced.durationMinutes}
    />
  )
}

export default function InstitutePage() {
  const { institute, reviews, ...loaded } = useLoaderData<typeof loader>()
  const { now } = loaded
  const cart = useCart(institute, loaded)
  const priced = priceCart(institute, cart.choice.items)
  return (
    <>
      <Head institute={institute} />
      <div className={`page ${styles.page}`}>
        <Gallery institute={institute} />
        <div className={institute.claimed ? `two-panes ${styles.panes}` : styles.panes}>
          <InstituteParts institute={institute} now={now} cart={cart} reviews={reviews} />
          {institute.claimed && <Panel institute={institute} now={now} cart={cart} priced={priced} />}
        </div>
      </div>
      {institute.claimed && <CartBar institute={institute} now={now} cart={cart} priced={priced} />}
    </>
  )
}

// Where the institute is: its town, a pin at the door, the address, and what follows from the place.
import type { Place } from '@soigne/contract/places'
import { minuteMs } from '@soigne/contract/time'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useDeferredValue, useRef, useState, type ReactNode } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { api } from '#/platform/api.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { zoneText } from '#/platform/dashboard-time.ts'
import { placeText } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Switch } from '#/ui/checkbox.tsx'
import { Combobox } from '#/ui/combobox.tsx'
import { Field } from '#/ui/field.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { showToast } from '#/ui/toasts.ts'
import type { DraftPlace, SetupDraft } from './draft/draft.ts'
import { useFailureWords } from './draft/failure-words.ts'
import { radiusOf } from './draft/send-draft.ts'
import type { DraftChange } from './draft/use-draft.ts'
import styles from './general-step.module.css'

const PinMap = lazily(async () => (await import('#/map/pin-map.tsx')).PinMap)

type PlacePartProps = { draft: SetupDraft; change: DraftChange }

/** What is typed, until a place is chosen from what it may mean. */
function TownField({ draft, onChoose, onClear }: { draft: SetupDraft; onChoose: (place: Place) => void; onClear: () => void }) {
  const { t, i18n } = useTranslation('setup')
  const { place, quarter, postalCode } = draft
  const [text, setText] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = text ?? place?.name ?? ''
  const asked = useDeferredValue(shown.trim())
  const isChosen = place !== null && [chosen, place.name, quarter, postalCode].includes(asked)
  const wanted = asked.length > 1 && !isChosen
  const { data, isFetching } = useQuery({
    queryKey: queryKeys.places(asked),
    queryFn: ({ signal }) => api.places({ query: { q: asked, limit: 6 } }, { signal }),
    enabled: wanted,
    staleTime: 300_000,
  })
  return (
    <Combobox
      label={t('place.town')}
      icon="pin"
      items={wanted ? (data?.items ?? []) : []}
      itemKey={(item) => item._id}
      itemText={(item) => item.name}
      renderItem={(item) => placeText(item, i18n.language)}
      value={shown}
      onValueChange={(next) => {
        setText(next)
        if (place && next !== place.name) onClear()
      }}
      onSelect={(next) => {
        setText(next.name)
        setChosen(next.name)
        onChoose(next)
      }}
      loading={isFetching}
      statusText={(count, loading) => (loading ? t('place.looking') : t('place.found', { count }))}
      hint={place ? undefined : t('place.townHint')}
    />
  )
}

/** Fills in what follows from a point: the server books by the same zone and currency. What was asked of an earlier point is not heard. */
function useFollowing({ draft, change }: PlacePartProps) {
  const { i18n } = useTranslation()
  const wordsOf = useFailureWords()
  const asked = useRef(0)
  async function follow(point: DraftPlace, town: (city: string) => Partial<DraftPlace>) {
    asked.current += 1
    const { lat, lon, countryCode } = point
    const question = asked.current
    try {
      const { city, timeZone, currency } = await dashboardApi.setupPlace({ query: { lat, lon, countryCode } })
      if (question !== asked.current) return
      change(({ place }) => (place ? { place: { ...place, timeZone, currency, ...town(city) } } : {}))
    } catch (error) {
      if (question === asked.current) showToast({ type: 'error', title: wordsOf(error) })
    }
  }
  function choose({ kind, name, region, lat, lon, timeZone, countryCode }: Place) {
    const own = kind === 'town' ? { quarter: '' } : kind === 'quarter' ? { quarter: name } : { quarter: '', postalCode: name }
    const town = kind === 'town' ? name : region
    const place = { name: town ?? name, lat, lon, timeZone, countryCode, currency: draft.place?.currency ?? 'EUR' }
    change({ ...own, place })
    // An address names its town in Latin letters, by which everybody finds it.
    void follow(place, (city) => (town === null || i18n.language === 'ar' ? { name: city } : {}))
  }
  function drop({ lat, lon }: { lat: number; lon: number }) {
    if (!draft.place) return
    const place = { ...draft.place, lat, lon }
    change({ place })
    void follow(place, () => ({}))
  }
  return { choose, drop, clear: () => change({ place: null }) }
}

function Door({ draft, change, drop }: PlacePartProps & { drop: (point: { lat: number; lon: number }) => void }) {
  const { t, i18n } = useTranslation('setup')
  const { place } = draft
  if (!place) return null
  const currency = new Intl.DisplayNames(i18n.language, { type: 'currency' }).of(place.currency) ?? place.currency
  return (
    <>
      <Suspense fallback={<Skeleton height={320} />}>
        <PinMap
          point={place}
          label={t('place.map')}
          pinLabel={t('place.pin')}
          hint={t('place.drag')}
          facts={t('place.facts', { zone: zoneText(place.timeZone, i18n.language), currency })}
          onDrop={drop}
        />
      </Suspense>
      <Field
        label={t('place.address')}
        autoComplete="street-address"
        maxLength={200}
        value={draft.address}
        onChange={(event) => change({ address: event.target.value })}
      />
      <div className={styles.triple}>
        <Field
          label={t('place.postalCode')}
          autoComplete="postal-code"
          maxLength={20}
          value={draft.postalCode}
          onChange={(event) => change({ postalCode: event.target.value })}
        />
        <Field
          label={t('place.city')}
          maxLength={120}
          value={place.name}
          onChange={(event) => change({ place: { ...place, name: event.target.value } })}
        />
        <Field
          label={t('place.quarter')}
          maxLength={120}
          value={draft.quarter}
          onChange={(event) => change({ quarter: event.target.value })}
        />
      </div>
    </>
  )
}

function AtHome({ draft, change }: PlacePartProps) {
  const { t } = useTranslation('setup')
  return (
    <>
      <Switch label={t('place.atHome')} checked={draft.atHomeService} onChange={() => change({ atHomeService: !draft.atHomeService })} />
      {draft.atHomeService && (
        <Field
          label={t('place.radius')}
          inputMode="numeric"
          maxLength={3}
          end={<span className="small muted">{t('place.km')}</span>}
          frameClassName={styles.short}
          value={draft.atHomeRadiusKm}
          onChange={(event) => change({ atHomeRadiusKm: event.target.value })}
          error={radiusOf(draft.atHomeRadiusKm) === null ? t('place.radiusWrong') : undefined}
        />
      )}
    </>
  )
}

/** Listed institutes of a like name nearby: one of them may be this one. */
function Claim({ draft, change }: PlacePartProps) {
  const { t } = useTranslation('setup')
  const { name, place, claims } = draft
  const asked = useDeferredValue(name.trim())
  const [waved, setWaved] = useState(false)
  const { data } = useQuery({
    queryKey: dashboardKeys.setupListings(asked, place?.lat ?? 0, place?.lon ?? 0),
    queryFn: ({ signal }) => dashboardApi.setupListings({ query: { name: asked, lat: place?.lat ?? 0, lon: place?.lon ?? 0 } }, { signal }),
    enabled: asked.length > 2 && place !== null && claims === null && !waved,
    staleTime: minuteMs,
  })
  if (claims) {
    return (
      <ClaimCard title={t('claim.claimed', { name: claims.name })} text={t('claim.claimedText')}>
        <button type="button" className="link" onClick={() => change({ claims: null })}>
          {t('claim.undo')}
        </button>
      </ClaimCard>
    )
  }
  const found = waved || !place ? undefined : data?.items[0]
  if (!found || !place) return null
  const { address, location, openingHours } = found
  function claim() {
    if (!found || !place) return
    const isOpen = Object.values(openingHours).some((ranges) => ranges.length > 0)
    change({
      claims: { id: found._id, name: found.name },
      name: found.name,
      phone: draft.phone === '' ? (found.phone ?? '') : draft.phone,
      categories: draft.categories.length > 0 ? draft.categories : found.categories,
      address: address.line,
      quarter: address.quarter ?? draft.quarter,
      postalCode: address.postalCode ?? '',
      place: { ...place, ...location, name: address.city, countryCode: address.countryCode },
      ...(isOpen && { openingHours }),
    })
  }
  return (
    <ClaimCard title={t('claim.title')} text={t('claim.text', { name: found.name, address: address.line, source: found.attribution })}>
      <button type="button" className="link" onClick={claim}>
        {t('claim.yes')}
      </button>
      <button type="button" className="link" onClick={() => setWaved(true)}>
        {t('claim.no')}
      </button>
    </ClaimCard>
  )
}

function ClaimCard({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className={styles.claim}>
      <div>
        <p className="strong">{title}</p>
        <p className="small muted">{text}</p>
      </div>
      <div className={styles.claimWays}>{children}</div>
    </div>
  )
}

export function PlacePart({ draft, change }: PlacePartProps) {
  const { choose, drop, clear } = useFollowing({ draft, change })
  return (
    <div className={styles.fields}>
      <TownField draft={draft} onChoose={choose} onClear={clear} />
      <Door draft={draft} change={change} drop={drop} />
      <Claim draft={draft} change={change} />
      <AtHome draft={draft} change={change} />
    </div>
  )
}

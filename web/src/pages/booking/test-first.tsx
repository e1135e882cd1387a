// What a chosen service needs first, by name: from when on it can begin, or the way to book the test.
import type { Institute, Service } from '@soigne/contract/institutes'
import { useDayInside, useWhenInside } from '#/features/booking/terms-line.tsx'
import type { Choice } from '#/features/cart/choice.ts'
import { testFirst } from '#/features/cart/needs.ts'
import { bookingPath, loginPath } from '#/paths.ts'
import { Trans } from '#/platform/marked-text.tsx'
import { placeText } from '#/platform/return-location.ts'
import { useSession } from '#/platform/session.tsx'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { isBookable, priceOfService, usePriceText } from '#/prices.ts'
import { Link, useLocation } from 'react-router'
import { ButtonLink } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import type { OpenNeed } from './use-needs.ts'
import styles from './booking-flow.module.css'

export type TestFirstProps = { institute: Institute; choice: Choice; needs: readonly OpenNeed[] }

/** What the test is: its name, how long it takes, what it costs. */
function TestFacts({ test }: { test: Service }) {
  const times = useTimes()
  const price = usePriceText()
  return (
    <span className="strong">
      <bdi>{test.name}</bdi> · <bdi>{times.duration(test.durationMinutes)}</bdi> · <bdi>{price(priceOfService(test, null))}</bdi>
    </span>
  )
}

/** Whose tests nobody knows yet is shown all times: those that theirs leave come with the login. */
function GuestHint() {
  const session = useSession()
  const from = placeText(useLocation())
  if (session.kind !== 'guest') return null
  return (
    <span className={styles.guest}>
      <Trans ns="booking" i18nKey="needs.guest" components={{ login: <Link to={loginPath(from)} /> }} />
    </span>
  )
}

function OneNeed({ institute, choice, need }: Omit<TestFirstProps, 'needs'> & { need: OpenNeed }) {
  const { t } = useTranslation('booking')
  const when = useWhenInside()
  const dayInside = useDayInside()
  const { service, test, minHours, from, lastDay } = need
  const { timeZone } = institute
  const names = { service: service.name, test: test.name }
  const canBook = isBookable(institute, test)
  const link = canBook && (
    <ButtonLink to={bookingPath(institute.slug, testFirst(choice, test))} variant="outline" size="small">
      {t('needs.book', names)}
    </ButtonLink>
  )
  const until = lastDay !== null && t('needs.until', { ...names, day: dayInside(lastDay, timeZone) })
  if (from !== null) {
    return (
      <Notice tone="kind" title={t('needs.from', { ...names, when: when(from, timeZone) })}>
        {t('needs.booked', names)} {until}
      </Notice>
    )
  }
  if (until) return <Notice tone="kind" title={until} action={link} />
  return (
    <Notice
      tone="warning"
      title={minHours === 0 ? t('needs.before', names) : t('needs.hours', { ...names, count: minHours })}
      action={link}
    >
      {canBook ? (
        <>
          <TestFacts test={test} /> {t('needs.hint')}
        </>
      ) : (
        t('needs.ask', names)
      )}
      <GuestHint />
    </Notice>
  )
}

export function TestFirst({ needs, ...props }: TestFirstProps) {
  return needs.map((need) => <OneNeed key={`${need.service._id} ${need.test._id}`} {...props} need={need} />)
}

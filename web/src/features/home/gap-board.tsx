// The departure board: the next real gaps in real calendars, soonest first.
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import { useTranslation } from '#/platform/translation.ts'
import { bookingPath } from '#/paths.ts'
import { useMoney } from '#/platform/money.ts'
import { instantText, useTimes } from '#/platform/time.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import styles from './gap-board.module.css'

type HomeAnswer = Answer<Calls['home']>
type Gap = HomeAnswer['gaps'][number]

function gapPath({ institute, service, staff, startsAt }: Gap): string {
  return bookingPath(institute.slug, new URLSearchParams({ service: service._id, staff: staff._id, at: startsAt }))
}

function GapLine({ gap, now }: { gap: Gap; now: number }) {
  const { t } = useTranslation('home')
  const times = useTimes()
  const money = useMoney()
  const { startsAt, timeZone, institute, service, staff } = gap
  const time = times.time(startsAt, timeZone)
  const day = times.dayOfInstant(startsAt, timeZone, 'short', now)
  const isToday = day === times.dayOfInstant(instantText(now), timeZone, 'short', now)
  return (
    <li className={styles.line}>
      <span className={styles.when}>
        {!isToday && <span className={`fine muted ${styles.day}`}>{day}</span>}
        <bdi className={`time ${styles.time}`}>{time}</bdi>
      </span>
      <span className={styles.what}>
        <span className={styles.service}>{service.name}</span>
        <span className="small muted">
          {institute.quarter ? t('board.at', { name: institute.name, place: institute.quarter }) : institute.name}
        </span>
      </span>
      <span className={styles.who}>
        <FaceImage name={staff.name} photoUrl={staff.imageUrl} />
        <span>{t('board.with', { name: staff.name })}</span>
      </span>
      <bdi className={`muted tabular ${styles.duration}`}>{times.duration(service.durationMinutes)}</bdi>
      <bdi className={`strong tabular ${styles.price}`}>{service.price && money(service.price)}</bdi>
      <ButtonLink
        to={gapPath(gap)}
        variant="soft"
        size="small"
        className={styles.book}
        aria-label={t('board.bookOne', { service: service.name, name: institute.name, day, time })}
      >
        {t('board.book')}
      </ButtonLink>
    </li>
  )
}

export function GapBoard({ home, now }: { home: Pick<HomeAnswer, 'gaps' | 'withinTwoHours'>; now: number }) {
  const { t } = useTranslation('home')
  if (home.gaps.length === 0) return null
  return (
    <section className="page section" aria-labelledby="gaps">
      <div className={styles.head}>
        <h2 className="d2" id="gaps">
          {t(home.withinTwoHours ? 'board.title' : 'board.titleLater')}
        </h2>
        <p className="muted">{t(home.withinTwoHours ? 'board.line' : 'board.lineLater')}</p>
      </div>
      <ul className={styles.board}>
        {home.gaps.map((gap) => (
          <GapLine key={`${gap.staff._id} ${gap.startsAt}`} gap={gap} now={now} />
        ))}
      </ul>
    </section>
  )
}

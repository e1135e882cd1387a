// The calendar while it is coming, in the shape it will have; and when what is shown is from before.
import { instantText, ownZone, timeText } from '#/platform/time.ts'
import { KitProvider } from '#/kit/provider.tsx'
import { fallbackLocale, isLocale } from '#/platform/locale.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Notice } from '#/ui/notice.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import type { DiaryView } from './diary-address.ts'
import type { ReactNode } from 'react'
import styles from './diary.module.css'

/** Blocks of a column as they often are: where they begin and how long they are, in percent. */
const blocks = [
  [
    [2, 14],
    [22, 10],
    [36, 18],
    [60, 12],
  ],
  [
    [6, 10],
    [20, 16],
    [44, 8],
    [64, 14],
  ],
  [
    [2, 12],
    [30, 12],
    [50, 20],
  ],
  [
    [12, 16],
    [40, 10],
    [58, 10],
    [74, 12],
  ],
]

export function DiarySkeleton({ view, isNarrow }: { view: DiaryView; isNarrow: boolean }) {
  if (view === 'agenda' || view === 'month') {
    return (
      <div className={styles.skeletonRows}>
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={index} height={56} radius={12} />
        ))}
      </div>
    )
  }
  return (
    <div className={styles.skeleton}>
      {(isNarrow ? blocks.slice(0, 1) : blocks).map((column, index) => (
        <div key={index}>
          {column.map(([from = 0, length = 0]) => (
            <span key={from} style={{ insetBlockStart: `${from}%`, blockSize: `${length}%` }}>
              <Skeleton height="100%" radius={9} />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}

/** The last answer is older than it should be: no connection, or the server is away. */
export function DiaryStale({ since }: { since: number }) {
  const { t } = useTranslation('diary')
  return (
    <Notice tone="warning" icon="offline" announce className={styles.note} title={t('stale.title')}>
      {t('stale.text', { time: timeText(instantText(since), ownZone()) })}
    </Notice>
  )
}

/** Fields and menus of the calendar speak the language of the page. */
export function DiaryLanguage({ children }: { children: ReactNode }) {
  const { i18n } = useTranslation()
  return <KitProvider locale={isLocale(i18n.language) ? i18n.language : fallbackLocale}>{children}</KitProvider>
}

export { dashboardLinks as diaryLinks } from '#/kit/dashboard-links.ts'

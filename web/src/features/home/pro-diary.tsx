// A picture of a working day in the diary, for people who have not seen one yet. Invented, and only to be looked at.
import { useTranslation } from '#/platform/translation.ts'
import { coverAddress, faceAddress } from '#/theme/art/art-address.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from '#/ui/class-names.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import styles from './pro-diary.module.css'

type Look = 'paid' | 'deposit' | 'cancelled' | 'away'
type Service = 'gel' | 'classic' | 'pedicure' | 'massage' | 'art' | 'lunch' | 'away'
/** Times in minutes after midnight. */
type Block = { from: number; to: number; look: Look; service: Service; client?: string; current?: boolean }
type Column = { name: string; face: string; fullness: number | null; blocks: readonly Block[] }

const opensAt = 11 * 60 + 40
const pixelsPerMinute = 1.5
const nowMinute = 14 * 60 + 6

const columns: readonly Column[] = [
  {
    name: 'Inès',
    face: faceAddress('diary-16', 'bun'),
    fullness: 0.72,
    blocks: [
      { from: 700, to: 760, look: 'paid', service: 'gel', client: 'Nadia K.' },
      { from: 760, to: 780, look: 'away', service: 'lunch' },
      { from: 780, to: 840, look: 'paid', service: 'gel', client: 'Hélène V.' },
      { from: 860, to: 900, look: 'paid', service: 'classic' },
      { from: 900, to: 960, look: 'cancelled', service: 'gel', client: 'Inga S.' },
      { from: 1000, to: 1080, look: 'deposit', service: 'massage', client: 'Camille R.' },
    ],
  },
  {
    name: 'Maud',
    face: faceAddress('diary-12', 'long'),
    fullness: 0.74,
    blocks: [
      { from: 740, to: 800, look: 'away', service: 'lunch' },
      { from: 820, to: 860, look: 'paid', service: 'classic', current: true },
      { from: 880, to: 960, look: 'deposit', service: 'pedicure', client: 'Sofia M.' },
      { from: 960, to: 1020, look: 'deposit', service: 'gel', client: 'Emma C.' },
    ],
  },
  {
    name: 'Salma',
    face: faceAddress('diary-19', 'hijab'),
    fullness: null,
    blocks: [
      { from: 700, to: 740, look: 'paid', service: 'art' },
      { from: 820, to: 1080, look: 'away', service: 'away' },
    ],
  },
]

const icons: Partial<Record<Look, IconName>> = { paid: 'check', deposit: 'clock', cancelled: 'close' }

function wallTime(minute: number): string {
  return `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
}

function topOf(minute: number): number {
  return (minute - opensAt) * pixelsPerMinute
}

function DiaryBlock({ block }: { block: Block }) {
  const { t } = useTranslation('home')
  const { from, to, look, service, client, current } = block
  const icon = icons[look]
  const place = { insetBlockStart: topOf(from) + 2, blockSize: (to - from) * pixelsPerMinute - 4 }
  if (look === 'away') {
    return (
      <div className={classNames(styles.block, styles.away)} style={place}>
        {t(`pro.diary.${service}`)}
      </div>
    )
  }
  return (
    <div className={classNames(styles.block, styles[look], current && styles.current)} style={place}>
      <span className={styles.line}>
        <bdi>{`${wallTime(from)}–${wallTime(to)}`}</bdi>
        {icon && <Icon name={icon} size={15} />}
      </span>
      <span className={styles.service}>{t(`pro.diary.${service}`)}</span>
      {client && to - from > 40 && <bdi className={styles.client}>{client}</bdi>}
    </div>
  )
}

export function ProDiary() {
  const { t } = useTranslation('home')
  const hours = [12, 13, 15, 16, 17]
  return (
    <div className={styles.stage} aria-hidden="true">
      <img
        className={`art ${styles.ground}`}
        src={coverAddress({ category: 'makeup', seed: 'window-18', shape: 'square' })}
        alt=""
        width={400}
        height={400}
        decoding="async"
      />
      <div className={styles.diary}>
        <div className={styles.heads}>
          {columns.map(({ name, face, fullness }) => (
            <div key={name} className={styles.head}>
              <FaceImage name={name} photoUrl={face} size={44} />
              <span>
                <bdi className="strong">{name}</bdi>
                <span className={`fine ${fullness === null ? styles.sick : 'muted'}`}>
                  {fullness === null ? t('pro.diary.sick') : t('pro.diary.full', { percent: `${Math.round(fullness * 100)}%` })}
                </span>
              </span>
            </div>
          ))}
        </div>
        <div className={styles.hours}>
          {hours.map((hour) => (
            <span key={hour} style={{ insetBlockStart: topOf(hour * 60) }}>
              <bdi>{wallTime(hour * 60)}</bdi>
            </span>
          ))}
          <b style={{ insetBlockStart: topOf(nowMinute) }}>
            <bdi>{wallTime(nowMinute)}</bdi>
          </b>
        </div>
        {columns.map(({ name, blocks }) => (
          <div key={name} className={styles.column}>
            <span className={styles.now} style={{ insetBlockStart: topOf(nowMinute) }} />
            {blocks.map((block) => (
              <DiaryBlock key={block.from} block={block} />
            ))}
          </div>
        ))}
      </div>
      <div className={styles.news}>
        <FaceImage name="Camille R." photoUrl={faceAddress('diary-14', 'short')} />
        <span>
          <span className="strong">{t('pro.diary.booked')}</span>
          <span className="small muted">{t('pro.diary.bookedLine')}</span>
        </span>
      </div>
    </div>
  )
}

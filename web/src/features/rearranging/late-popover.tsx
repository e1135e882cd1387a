// "Running 20 minutes late": who has to wait and who does not, before anybody is told.
import type { LateNotice, LateVisit } from '@soigne/contract/rearranging'
import { useState } from 'react'
import { Popover } from '#/kit/popover.tsx'
import { Button } from '#/ui/button.tsx'
import { Segmented } from '#/ui/segmented.tsx'
import { useProposalTexts } from './proposal-row.tsx'
import { useLateness, useWouldBeLate } from './use-rearranging.ts'
import styles from './rearranging.module.css'

const steps = ['10', '20', '30', '45', '60'] as const

function Visits({ title, visits, timeZone }: { title: string; visits: readonly LateVisit[]; timeZone: string }) {
  const { t, times } = useProposalTexts(timeZone)
  if (visits.length === 0) return null
  return (
    <section>
      <h3 className="small strong">{title}</h3>
      <ul className={styles.waiting}>
        {visits.map((one) => (
          <li key={one._id}>
            <bdi>{one.customer}</bdi>
            <span className="muted tabular">
              {one.minutes > 0
                ? t('late.fromTo', { from: times.time(one.startsAt, timeZone), to: times.time(one.expectedAt, timeZone) })
                : times.time(one.startsAt, timeZone)}
            </span>
            {one.minutes > 0 && !one.isTold && <span className="small muted">{t('late.byPhone', { phone: one.phone ?? '' })}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who would have to wait, before anybody is told. */
function Asking({ staffId, timeZone, onDone }: { staffId: string; timeZone: string; onDone: () => void }) {
  const { t } = useProposalTexts(timeZone)
  const [minutes, setMinutes] = useState<(typeof steps)[number]>('20')
  const { data } = useWouldBeLate(staffId, Number(minutes))
  const { say } = useLateness(staffId)
  const told = data?.affected.filter(({ isTold }) => isTold).length ?? 0
  return (
    <div className={styles.late}>
      <Segmented
        label={t('late.minutes')}
        size="small"
        options={steps.map((value) => ({ value, label: value }))}
        value={minutes}
        onChange={setMinutes}
      />
      {data && (
        <>
          <Visits title={t('late.affected')} visits={data.affected} timeZone={timeZone} />
          <Visits title={t('late.unaffected')} visits={data.unaffected} timeZone={timeZone} />
          {data.affected.length === 0 && <p className="small muted">{t('late.nobody')}</p>}
        </>
      )}
      <Button disabled={!data} loading={say.isPending} onClick={() => say.mutate(Number(minutes), { onSuccess: onDone })}>
        {told === 0 ? t('late.say') : t('late.tell', { count: told })}
      </Button>
    </div>
  )
}

type LatePartProps = LatePopoverProps & { onDone: () => void }

/** Saying that a member is late, or taking it back. */
export function LatePart({ staffId, timeZone, notice, onDone }: LatePartProps) {
  const { t } = useProposalTexts(timeZone)
  const { takeBack } = useLateness(staffId)
  if (!notice) return <Asking staffId={staffId} timeZone={timeZone} onDone={onDone} />
  return (
    <div className={styles.late}>
      <Visits title={t('late.affected')} visits={notice.affected} timeZone={timeZone} />
      {notice.affected.length === 0 && <p className="small muted">{t('late.nobody')}</p>}
      <Button variant="outline" loading={takeBack.isPending} onClick={() => takeBack.mutate(undefined, { onSuccess: onDone })}>
        {t('late.takeBack')}
      </Button>
    </div>
  )
}

export type LatePopoverProps = { staffId: string; timeZone: string; notice?: LateNotice | undefined }

/** Beside the name of a member. */
export function LatePopover(props: LatePopoverProps) {
  const { t } = useProposalTexts(props.timeZone)
  const { notice } = props
  return (
    <Popover label={notice ? t('late.is', { count: notice.minutes }) : t('late.action')}>
      {(close) => <LatePart {...props} onDone={close} />}
    </Popover>
  )
}

// The fee of a visit that was cancelled late or missed: what becomes of it, and waiving it or giving it back.
import type { Sale } from '@soigne/contract/sales'
import { useState } from 'react'
import { useMoney } from '#/platform/money.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { WaiveDialog } from '#/waive-dialog.tsx'
import styles from './sale.module.css'

export function SaleFee({ sale: { fee, timeZone } }: { sale: Sale }) {
  const { t } = useTranslation('sales')
  const money = useMoney()
  const times = useTimes()
  const [isWaiving, setWaiving] = useState(false)
  if (!fee) return null
  const when = t('moment', { day: times.dayOfInstant(fee.dueAt, timeZone), time: times.time(fee.dueAt, timeZone) })
  return (
    <section aria-labelledby="fee">
      <h2 id="fee" className="d4">
        {t('fee.title')}
      </h2>
      <p>
        <span className="strong">{t(`fee.kinds.${fee.kind}`)}</span> <bdi className="strong tabular">{money(fee.amount, true)}</bdi>
      </p>
      <p className="muted">{t(`fee.states.${fee.state}`, { when })}</p>
      {fee.reason !== null && <p className="small muted">{t('fee.reasonLine', { reason: fee.reason })}</p>}
      {fee.canWaive && (
        <p className={styles.feeTool}>
          <Button variant="outline" onClick={() => setWaiving(true)}>
            {t(fee.state === 'charged' ? 'fee.giveBack' : 'fee.waive')}
          </Button>
        </p>
      )}
      {isWaiving && <WaiveDialog fee={fee} onClose={() => setWaiving(false)} />}
    </section>
  )
}

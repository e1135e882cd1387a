// The chosen time could not be held: why, and the free times near it.
import type { ReactNode } from 'react'
import { failureText, type ApiError } from '#/platform/api-error.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import type { HoldKeeper } from './use-hold.ts'

export type RefusedNoticeProps = {
  error: ApiError
  nearest: readonly string[]
  keeper: HoldKeeper
  startsAt: string
  timeZone: string
  /** Free times near the one that was refused, to go on with. */
  renderNearest: (nearest: readonly string[]) => ReactNode
}

/** What has to come first by name, and so many hours before; null for every other refusal. */
function needOf({ code, body }: ApiError): { test: string; count: number } | null {
  const asked = body.details?.['prerequisite']
  if (code !== 'prerequisite_missing' || typeof asked !== 'object' || asked === null) return null
  if (!('serviceName' in asked && typeof asked.serviceName === 'string' && 'minHours' in asked)) return null
  return { test: asked.serviceName, count: Number(asked.minHours) }
}

export function RefusedNotice({ error, nearest, ...props }: RefusedNoticeProps) {
  const { t } = useTranslation('booking')
  const times = useTimes()
  const { startsAt, timeZone, keeper, renderNearest } = props
  const time = times.time(startsAt, timeZone)
  const isTaken = error.code === 'slot_taken'
  const need = needOf(error)
  const why = need === null ? failureText(error) : need.count === 0 ? t('hold.needs', need) : t('hold.needsHours', need)
  const again =
    nearest.length === 0 && error.code === 'too_many_holds' ? (
      <Button variant="outline" size="small" onClick={keeper.retry}>
        {t('hold.again', { time })}
      </Button>
    ) : undefined
  return (
    <Notice tone="warning" announce title={isTaken ? t('hold.taken', { time }) : t('hold.refused', { time })} action={again}>
      <p>{isTaken ? t('hold.takenHint') : why}</p>
      {nearest.length > 0 && (
        <>
          <p>{t('hold.stillFree')}</p>
          {renderNearest(nearest)}
        </>
      )}
    </Notice>
  )
}

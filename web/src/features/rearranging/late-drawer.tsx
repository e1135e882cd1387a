// Beside the calendar of today: who runs late, whom it makes wait, and telling them.
import { useId, useState } from 'react'
import type { FrameOf } from '#/diary-changes.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ChoiceChips } from '#/ui/choice-chips.tsx'
import { RowSkeleton } from '#/ui/skeleton.tsx'
import { Button } from '#/ui/button.tsx'
import { LatePart } from './late-popover.tsx'
import { useLate } from './use-rearranging.ts'
import styles from './rearranging.module.css'

/** Opens it; there only for those who may change everybody's diary. */
export function LateButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('rearranging')
  const { data } = useLate()
  if (!data || data.team.length === 0) return null
  const [late, ...more] = data.items
  return (
    <Button variant="outline" size="small" icon="clock" onClick={onOpen}>
      {!late ? t('late.action') : more.length > 0 ? t('late.several') : t('late.of', { name: late.name, count: late.minutes })}
    </Button>
  )
}

export function LateDrawer({ staffId, Frame, onClose }: { staffId: string | null; Frame: FrameOf; onClose: () => void }) {
  const { t } = useTranslation('rearranging')
  const heading = useId()
  const group = useId()
  const { data } = useLate()
  const [picked, setPicked] = useState(staffId)
  // The column the calendar shows may be of somebody who is away.
  const isThere = data?.team.some((one) => one.staffId === picked) ?? false
  const chosen = isThere && picked !== null ? picked : (data?.items[0]?.staffId ?? data?.team[0]?.staffId)
  const head = (
    <h2 id={heading} className="d4">
      {t('late.title')}
    </h2>
  )
  return (
    <Frame labelledBy={heading} head={head}>
      {data && chosen !== undefined ? (
        <div className={styles.drawer}>
          <ChoiceChips
            legend={t('late.who')}
            name={group}
            choices={data.team.map((one) => ({ value: one.staffId, label: <bdi>{one.name}</bdi> }))}
            chosen={chosen}
            onChoose={setPicked}
          />
          <LatePart
            key={chosen}
            staffId={chosen}
            timeZone={data.timeZone}
            notice={data.items.find((one) => one.staffId === chosen)}
            onDone={onClose}
          />
        </div>
      ) : (
        <RowSkeleton />
      )}
    </Frame>
  )
}

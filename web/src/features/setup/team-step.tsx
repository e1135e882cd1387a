// Step 3: who works here, when, and what each of them does.
import type { SessionUser } from '@soigne/contract/session'
import { useEffect, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { type DraftMember, newKey, type SetupDraft } from './draft/draft.ts'
import { moved } from './draft/moved.ts'
import type { DraftChange } from './draft/use-draft.ts'
import { MemberEditor } from './member-editor.tsx'
import { backAt, useDropped } from './draft/use-dropped.ts'
import styles from './team-step.module.css'

type StepProps = {
  draft: SetupDraft
  change: DraftChange
  user: SessionUser
  /** On the calendar of the institute. */
  today: string
}

const newMember = (part: Partial<DraftMember>): DraftMember => ({
  key: newKey(),
  name: '',
  title: '',
  isMe: false,
  languages: [],
  bookableOnline: true,
  skips: [],
  hours: 'salon',
  anchorDay: '',
  weeks: [],
  ...part,
})

function Line({
  member,
  draft,
  onEdit,
  onDrop,
  onMove,
}: {
  member: DraftMember
  draft: SetupDraft
  onEdit: () => void
  onDrop: () => void
  onMove: () => void
}) {
  const { t } = useTranslation('setup')
  const does = draft.services.filter(({ key }) => !member.skips.includes(key)).length
  const name = member.name || t('services.unnamed')
  const facts = [member.title, member.isMe ? t('team.you') : '', t('team.serviceCount', { count: does })].filter(Boolean)
  return (
    <li className={styles.line}>
      <FaceImage name={name} size={48} />
      <div className={styles.text}>
        <p className="strong">
          <bdi>{name}</bdi>
        </p>
        <p className="small muted">{facts.join(' · ')}</p>
      </div>
      {draft.staff[0] !== member && (
        <IconButton icon="chevron-down" className={styles.up} label={t('services.earlier', { name })} onClick={onMove} />
      )}
      <IconButton icon="edit" label={t('services.edit', { name })} onClick={onEdit} />
      {draft.staff.length > 1 && <IconButton icon="trash" label={t('services.drop', { name })} onClick={onDrop} />}
    </li>
  )
}

export function TeamStep({ draft, change, user, today }: StepProps) {
  const { t } = useTranslation('setup')
  const [open, setOpen] = useState<string | null>(null)
  const { staff } = draft
  const sayDropped = useDropped()
  useEffect(() => {
    // Whoever sets it up is in already.
    if (staff.length === 0)
      change({ staff: [newMember({ name: `${user.firstName} ${user.lastName}`.trim(), isMe: true, languages: draft.offeredLanguages })] })
  }, [staff.length, change, user, draft.offeredLanguages])
  const changeOne = (key: string, part: Partial<DraftMember>) =>
    change({ staff: staff.map((one) => (one.key === key ? { ...one, ...part } : one)) })
  function drop(member: DraftMember) {
    change({ staff: staff.filter((one) => one !== member) })
    sayDropped(member.name, () => change((now) => ({ staff: backAt(now.staff, member, staff.indexOf(member)) })))
  }
  function add() {
    const made = newMember({ languages: draft.offeredLanguages })
    change({ staff: [...staff, made] })
    setOpen(made.key)
  }
  return (
    <>
      <ul className={styles.lines} aria-label={t('steps.team')}>
        {staff.map((member) =>
          member.key === open ? (
            <li key={member.key}>
              <MemberEditor
                member={member}
                draft={draft}
                today={today}
                onChange={(part) => changeOne(member.key, part)}
                onClose={() => setOpen(null)}
              />
            </li>
          ) : (
            <Line
              key={member.key}
              member={member}
              draft={draft}
              onEdit={() => setOpen(member.key)}
              onDrop={() => drop(member)}
              onMove={() => change({ staff: moved(staff, (one) => one === member, -1) })}
            />
          ),
        )}
      </ul>
      <Button variant="soft" icon="plus" onClick={add}>
        {t('team.add')}
      </Button>
    </>
  )
}

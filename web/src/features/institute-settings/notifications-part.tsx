// Who of the team is told of what, by bell and by mail: a person at a time, a row for each kind.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import type { Channel } from '@soigne/contract/notifications'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Switch } from '#/ui/checkbox.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { SaveBar, SettingRow } from './setting-parts.tsx'
import { useDraft } from './use-settings.ts'
import styles from './institute-settings.module.css'

type Person = InstituteSettings['notifications'][number]
type Choice = Person['choices'][number]

const channels: readonly Channel[] = ['bell', 'mail']

function KindRow({ kind, person, onChange }: { kind: Choice['kind']; person: Person; onChange: (choice: Choice) => void }) {
  const { t } = useTranslation('institute-settings')
  const title = t(`notifications.kinds.${kind}`)
  const hint = person.level === 'staff' ? t('notifications.own') : t(`notifications.hints.${kind}`)
  return (
    <SettingRow title={title} hint={hint}>
      <span className={styles.channels}>
        {channels.map((channel) => {
          const choice = person.choices.find((one) => one.kind === kind && one.channel === channel)
          const name = t(`notifications.${channel}`)
          return (
            choice && (
              <Switch
                key={channel}
                label={name}
                aria-label={t('notifications.by', { kind: title, channel: name, name: person.name })}
                checked={choice.isOn}
                onChange={() => onChange({ ...choice, isOn: !choice.isOn })}
              />
            )
          )
        })}
      </span>
    </SettingRow>
  )
}

const isSame = (one: Choice, other: Choice): boolean => one.kind === other.kind && one.channel === other.channel

export function NotificationsPart({ settings }: { settings: InstituteSettings }) {
  const { t } = useTranslation('institute-settings')
  const draft = useDraft('notifications', settings)
  const [picked, setPicked] = useState(draft.value[0]?.userId)
  const person = draft.value.find(({ userId }) => userId === picked) ?? draft.value[0]
  if (!person) return null
  const kinds = [...new Set(person.choices.map(({ kind }) => kind))]
  const change = (choice: Choice) =>
    draft.set(
      draft.value.map((one) =>
        one === person ? { ...one, choices: one.choices.map((before) => (isSame(before, choice) ? choice : before)) } : one,
      ),
    )
  return (
    <div className={styles.narrow}>
      <div className={styles.person}>
        <SelectField
          label={t('notifications.who')}
          value={person.userId}
          onChange={({ target }) => setPicked(target.value)}
          options={draft.value.map(({ userId, name, level }) => ({
            value: userId,
            label: t('notifications.person', { name, level: t(`levels.${level}`) }),
          }))}
        />
      </div>
      <section className={styles.section}>
        {kinds.map((kind) => (
          <KindRow key={kind} kind={kind} person={person} onChange={change} />
        ))}
      </section>
      <p className="small muted">{t('notifications.also')}</p>
      <SaveBar changes={draft.changes} isSaving={draft.isSaving} onUndo={draft.undo} onSave={() => void draft.save()} />
    </div>
  )
}

// The settings as they are stored, and a part of them as somebody is changing it.
import type { Calls } from '@soigne/contract/calls'
import type { Input } from '@soigne/contract/define'
import type { HitVisit, InstituteSettings } from '@soigne/contract/institute-settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { isSame, overStored } from '#/kit/over-stored.ts'
import { useLeaveGuard } from '#/leave-guard.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useSessionActions } from '#/platform/session.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { showToast } from '#/ui/toasts.ts'

export type ChangedPart = 'profile' | 'openingHours' | 'rules' | 'payments' | 'documents' | 'notifications'

export function useSettings() {
  return useQuery({
    queryKey: dashboardKeys.institute.settings,
    queryFn: ({ signal }) => dashboardApi.instituteSettings({}, { signal }),
  })
}

/** What was changed over what is stored by now, and in which fields another screen has changed the same. */
function merged<Part>(read: Part, typed: Part, stored: Part): { value: Part; clashes: string[] } {
  const { values, clashes } = overStored({ read: { part: read }, typed: { part: typed }, stored: { part: stored }, inParts: ['part'] })
  return { value: values.part, clashes: clashes.map(({ path }) => path.replace(/^part\.?/, '')) }
}

/** How many values differ, one level deep. */
function countChanges<Value extends object>(before: Value, after: Value): number {
  return (Object.keys(after) as (keyof Value)[]).filter((key) => !isSame(before[key], after[key])).length
}

export type Draft<Part extends ChangedPart> = {
  value: InstituteSettings[Part]
  set: (change: Partial<InstituteSettings[Part]> | InstituteSettings[Part]) => void
  changes: number
  isSaving: boolean
  /** Why a field was refused, by its path within the part. */
  errors: Readonly<Record<string, string>>
  undo: () => void
  /** Sends it; true once it is stored. */
  save: () => Promise<boolean>
}

/** A part with what was changed of it. */
function useChanges<Part extends ChangedPart>(before: InstituteSettings[Part]) {
  // Only what was changed here: what another screen stores meanwhile is not taken back.
  const [changed, setChanged] = useState<Partial<InstituteSettings[Part]> | null>(null)
  // As it stood when the first of it was changed, or was last told to have changed elsewhere.
  const [read, setRead] = useState(before)
  // A list is changed as a whole; the compiler cannot follow that of a type parameter.
  const over = (one: InstituteSettings[Part]): InstituteSettings[Part] =>
    changed === null ? one : Array.isArray(one) ? (changed as InstituteSettings[Part]) : { ...one, ...changed }
  return {
    value: over(before),
    set(change: Partial<InstituteSettings[Part]> | InstituteSettings[Part]) {
      if (changed === null) setRead(before)
      setChanged(Array.isArray(before) ? change : { ...changed, ...change })
    },
    overStored: (stored: InstituteSettings[Part]) => merged(read, over(read), stored),
    setRead,
    clear: () => setChanged(null),
  }
}

/** One part of the settings while it is changed; nothing is stored before it is saved, and nobody leaves it unasked. */
export function useDraft<Part extends ChangedPart>(
  part: Part,
  stored: InstituteSettings,
  onSaved?: (outside: readonly HitVisit[]) => void,
): Draft<Part> {
  const { t } = useTranslation(['institute-settings', 'forms'])
  const queries = useQueryClient()
  const session = useSessionActions()
  const before = stored[part]
  const { value, set, ...own } = useChanges<Part>(before)
  const [isSaving, setSaving] = useState(false)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const changes = countChanges(before, value)
  useLeaveGuard(changes > 0)
  async function save() {
    setSaving(true)
    setErrors({})
    try {
      // Which part it is says what it holds; the compiler cannot follow that of a type parameter.
      const now = (await dashboardApi.instituteSettings({}))[part]
      const { value: sent, clashes } = own.overStored(now)
      if (clashes.length > 0) {
        own.setRead(now)
        setErrors(Object.fromEntries(clashes.map((path) => [path, t('forms:elsewhere.chosen')])))
        showToast({ type: 'warning', title: t('forms:elsewhere.title'), durationMs: 9000 })
        return false
      }
      const body = { [part]: sent } as NonNullable<Input<Calls['changeInstituteSettings']>['body']>
      const { settings, outside } = await dashboardApi.changeInstituteSettings({ body })
      queries.setQueryData(dashboardKeys.institute.settings, settings)
      own.clear()
      showToast({ type: 'success', title: t(part === 'notifications' || part === 'documents' ? 'save.stored' : 'save.done') })
      void queries.invalidateQueries({ queryKey: dashboardKeys.all })
      if (part === 'profile') await session.refresh()
      onSaved?.(outside)
      return true
    } catch (error) {
      const fields = Object.entries(fieldFailures(error)).map(([path, why]) => [path.replace(`${part}.`, ''), why])
      setErrors(Object.fromEntries(fields))
      showToast({ type: 'error', title: failureText(error) })
      return false
    } finally {
      setSaving(false)
    }
  }
  return {
    value,
    set,
    changes,
    isSaving,
    errors,
    undo() {
      own.clear()
      setErrors({})
    },
    save,
  }
}

// The menu by group. Rows are dragged within their group, or moved by the buttons of each; groups by the buttons of theirs.
import type { Menu, MenuService, Words } from '@soigne/contract/services'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { ActionMenu } from '#/kit/action-menu.tsx'
import { servicePath } from '#/dashboard-paths.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { Modal } from '#/ui/modal.tsx'
import { showToast } from '#/ui/toasts.ts'
import { type Group, groupsOf, languageNames, menuLocales, wordIn, withGroupAt, withServiceAt } from './menu.ts'
import { MenuRow } from './menu-row.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import { useMenuOrder, useServiceChange } from './use-menu.ts'
import styles from './services.module.css'

/** Says what moved where, for those who do not see it. */
function useMoves(menu: Menu) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const order = useMenuOrder()
  const [said, setSaid] = useState('')
  const groups = groupsOf(menu)
  function moveService(service: MenuService, place: number, count: number) {
    const ids = withServiceAt(groups, service._id, place)
    if (!ids) return
    order.mutate(ids)
    setSaid(t('movedTo', { name: wordIn(service.name, locale), place: place + 1, all: count }))
  }
  function moveGroup(group: Group, place: number) {
    const ids = withGroupAt(groups, group.key, place)
    if (!ids) return
    order.mutate(ids)
    setSaid(t('movedTo', { name: wordIn(group.section, locale) || t('ungrouped'), place: place + 1, all: groups.length }))
  }
  return { groups, said, moveService, moveGroup }
}

function NameFields({ words, onChange }: { words: Words; onChange: (words: Words) => void }) {
  return menuLocales.map((locale) => (
    <Field
      key={locale}
      label={languageNames[locale]}
      maxLength={60}
      dir="auto"
      lang={locale}
      value={words[locale] ?? ''}
      onChange={({ target }) => onChange({ ...words, [locale]: target.value })}
    />
  ))
}

/** Calling it otherwise, in each language it is read in. */
function GroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const { t } = useTranslation('services')
  const queries = useQueryClient()
  const id = useId()
  const [to, setTo] = useState(group.section)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isEmpty = menuLocales.every((locale) => !to[locale]?.trim())
  async function save() {
    setBusy(true)
    try {
      const { message } = await dashboardApi.renameGroup({ body: { section: group.section, to } })
      await queries.invalidateQueries({ queryKey: dashboardKeys.menu })
      showToast({ type: 'success', title: message })
      onClose()
    } catch (error) {
      setProblem(fieldFailures(error)['to'] ?? failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal open onClose={onClose} labelledBy={id} placement="sheet">
      <form
        noValidate
        className={styles.dialog}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty) void save()
        }}
      >
        <h2 id={id} className="d3">
          {t('renameGroup.title')}
        </h2>
        <NameFields
          words={to}
          onChange={(words) => {
            setProblem(undefined)
            setTo(words)
          }}
        />
        {problem && (
          <p className="small" role="alert">
            {problem}
          </p>
        )}
        <div className={styles.dialogActions}>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" disabled={isEmpty} loading={busy}>
            {t('renameGroup.save')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

type GroupHeadProps = { group: Group; place: number; count: number; moveTo: (place: number) => void }

function GroupHead({ group, place, count, moveTo }: GroupHeadProps) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const name = wordIn(group.section, locale) || t('ungrouped')
  const category = group.items[0]?.category
  const isNamed = wordIn(group.section, locale) !== ''
  const [isNaming, setNaming] = useState(false)
  return (
    <div className={styles.groupHead}>
      {category && <CategoryIcon name={category} size={28} />}
      <h2 className="d4">
        <bdi>{name}</bdi>
      </h2>
      {(count > 1 || isNamed) && (
        <ActionMenu
          label={t('groupActions', { name })}
          labelHidden
          icon="more"
          actions={[
            ...(isNamed ? [{ id: 'rename', label: t('renameGroup.action'), onAction: () => setNaming(true) }] : []),
            { id: 'up', label: t('up'), disabled: place === 0, onAction: () => moveTo(place - 1) },
            { id: 'down', label: t('down'), disabled: place === count - 1, onAction: () => moveTo(place + 1) },
          ]}
        />
      )}
      {isNaming && <GroupDialog group={group} onClose={() => setNaming(false)} />}
    </div>
  )
}

type GroupPartProps = {
  menu: Menu
  group: Group
  place: number
  moves: ReturnType<typeof useMoves>
  onRemove: (service: MenuService) => void
}

function GroupPart({ menu, group, place: at, moves, onRemove }: GroupPartProps) {
  const navigate = useNavigate()
  const [dragged, setDragged] = useState<MenuService | null>(null)
  const [target, setTarget] = useState<string | null>(null)
  const count = group.items.length
  const endDrag = () => {
    setDragged(null)
    setTarget(null)
  }
  const dragsOf = (service: MenuService, place: number) => ({
    isDragged: dragged === service,
    isTarget: dragged !== service && target === service._id,
    onDragEnd: endDrag,
    onDragStart(event: DragEvent) {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', service._id)
      const row = event.currentTarget.closest('li')
      if (row) event.dataTransfer.setDragImage(row, 12, 24)
      setDragged(service)
    },
    onOver(prevent: () => void) {
      if (!dragged) return
      prevent()
      setTarget(service._id)
    },
    onDrop() {
      if (dragged) moves.moveService(dragged, place, count)
      endDrag()
    },
  })
  return (
    <section className={styles.group}>
      <GroupHead group={group} place={at} count={moves.groups.length} moveTo={(place) => moves.moveGroup(group, place)} />
      <ul>
        {group.items.map((service, place) => (
          <MenuRow
            key={service._id}
            menu={menu}
            service={service}
            onRemove={() => onRemove(service)}
            onEdit={() => void navigate(servicePath(service._id))}
            moves={{ place, count, moveTo: (to) => moves.moveService(service, to, count), ...dragsOf(service, place) }}
          />
        ))}
      </ul>
    </section>
  )
}

export function MenuList({ menu, shown }: { menu: Menu; shown: string | null }) {
  const moves = useMoves(menu)
  const [removed, setRemoved] = useState<MenuService | null>(null)
  return (
    <>
      {moves.groups.map(
        (group, place) =>
          (shown === null || shown === group.key) && (
            <GroupPart key={group.key} menu={menu} group={group} place={place} moves={moves} onRemove={setRemoved} />
          ),
      )}
      <p role="status" className="visually-hidden">
        {moves.said}
      </p>
      {removed && <RemovalDialog menu={menu} service={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

function ArchivedRow({ menu, service }: { menu: Menu; service: MenuService }) {
  const { t } = useTranslation('services')
  const { locale } = useTimes()
  const change = useServiceChange()
  const name = wordIn(service.name, locale)
  const successor = menu.items.find(({ _id }) => _id === service.successorId)
  return (
    <li className={styles.archivedRow}>
      <div>
        <p className="strong">
          <bdi>{name}</bdi>
        </p>
        <p className="small muted">{successor ? t('succeededBy', { name: wordIn(successor.name, locale) }) : t('noSuccessor')}</p>
      </div>
      <Button
        variant="outline"
        size="small"
        loading={change.isPending}
        onClick={() => change.mutate({ service, to: { active: true }, said: t('restored', { name }) })}
      >
        {t('restore')}
      </Button>
    </li>
  )
}

/** What is no longer on the menu, below it and folded away; it may come back. */
export function Archived({ menu }: { menu: Menu }) {
  const { t } = useTranslation('services')
  const archived = menu.items.filter(({ archivedAt }) => archivedAt !== null)
  if (archived.length === 0) return null
  return (
    <details className={styles.archived}>
      <summary>
        <span className="strong">
          {t('archived')} <bdi className="tabular">({archived.length})</bdi>
        </span>
        <span className="small muted">{t('archivedText')}</span>
      </summary>
      <ul>
        {archived.map((service) => (
          <ArchivedRow key={service._id} menu={menu} service={service} />
        ))}
      </ul>
    </details>
  )
}

// What is sold, line by line: removed, at another amount, with somebody, more of it; and the ways to add something.
import { useState } from 'react'
import { AmountField } from '#/amount-field.tsx'
import { ActionMenu, type MenuAction } from '#/kit/action-menu.tsx'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { AddProduct } from './add-product.tsx'
import { AddService } from './add-service.tsx'
import { packageOf, sumOf, type Line, type ShownLine } from './reckoning.ts'
import type { TillProps } from './use-till.ts'
import type { TillData } from './use-till-data.ts'
import { AddGiftCard } from './vouchers/add-gift-card.tsx'
import { AddPackage } from './vouchers/add-package.tsx'
import { type HeldPackage, useHeldPackages } from './vouchers/use-vouchers.ts'
import styles from './till.module.css'

const mostOfOne = 99

type RowProps = {
  shown: ShownLine
  data: TillData
  /** Packages of the client, with what is left of each beside the lines of this sale. */
  held: readonly HeldPackage[]
  onChange: (line: Line) => void
  onRemove: () => void
}

const drawings = { segment: 'scissors', service: 'scissors', product: 'archive', package: 'checks', giftCard: 'heart' } as const

function Who({ shown: { line, name }, data, onChange }: RowProps) {
  const { t } = useTranslation('till')
  if (line.kind !== 'service') return null
  const able = data.members.filter(({ services }) => services.includes(line.serviceId))
  return (
    <SelectField
      label={t('withWhom', { name })}
      labelHidden
      className={styles.small}
      value={line.staffId ?? ''}
      placeholder={t('nobody')}
      options={able.map((member) => ({ value: member._id, label: member.name }))}
      onChange={({ target }) => onChange({ ...line, staffId: target.value === '' ? null : target.value })}
    />
  )
}

function Quantity({ shown: { line, name }, data, onChange }: RowProps) {
  const { t } = useTranslation('till')
  if (line.kind !== 'product') return null
  const { stock = null } = data.products.find(({ _id }) => _id === line.productId) ?? {}
  const { amount: _amount, ...atPrice } = line
  const set = (quantity: number) => onChange({ ...atPrice, quantity: Math.min(mostOfOne, Math.max(1, quantity)) })
  return (
    <span className={styles.quantity}>
      <IconButton
        icon="minus"
        iconSize={16}
        label={t('less', { name })}
        disabled={line.quantity <= 1}
        onClick={() => set(line.quantity - 1)}
      />
      <bdi className="tabular">{line.quantity}</bdi>
      <IconButton icon="plus" iconSize={16} label={t('more', { name })} onClick={() => set(line.quantity + 1)} />
      <span className="small muted">{stock === null ? t('product.one') : t('product.left', { count: stock })}</span>
    </span>
  )
}

function Drawing({ shown, data }: RowProps) {
  const member = data.members.find(({ _id }) => _id === shown.staffId)
  const name = member?.name ?? shown.detail
  if (name) return <FaceImage name={name} photoUrl={member?.imageUrl} size={36} />
  return (
    <span className={styles.mark}>
      <Icon name={drawings[shown.line.kind]} size={19} />
    </span>
  )
}

/** At another price, out of a package of the client, or as usual. */
function useLineActions({ shown: { line, price, serviceId }, held, onChange, onRemove }: RowProps): MenuAction[] {
  const { t } = useTranslation('till')
  const { amount: _amount, ...atPrice } = line
  const usual: Line = line.kind === 'segment' || line.kind === 'service' ? withoutPackage(line) : atPrice
  const isUsual = line.amount === undefined && packageOf(line) === undefined && price !== null
  const fitting =
    serviceId === undefined ? [] : held.filter(({ left, services }) => left > 0 && services.some(({ _id }) => _id === serviceId))
  return [
    ...(line.kind === 'segment' || line.kind === 'service' ? fitting : [])
      .filter(({ _id }) => _id !== packageOf(line))
      .map(({ _id, name, left }): MenuAction => ({
        id: _id,
        label: t('line.fromPackage', { name, count: left }),
        icon: 'checks',
        onAction: () => onChange({ ...usual, fromPackage: _id } as Line),
      })),
    ...(line.kind === 'giftCard'
      ? []
      : [
          isUsual
            ? { id: 'amount', label: t('line.amount'), icon: 'edit' as const, onAction: () => onChange({ ...line, amount: price }) }
            : { id: 'price', label: t('line.price'), icon: 'repeat' as const, disabled: price === null, onAction: () => onChange(usual) },
        ]),
    { id: 'remove', label: t('line.remove'), icon: 'trash', danger: true, onAction: onRemove },
  ]
}

function withoutPackage(line: Line & { kind: 'segment' | 'service' }): Line {
  const { amount: _amount, fromPackage: _from, ...usual } = line
  return usual
}

function LineRow(props: RowProps) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const { shown, data, held, onChange } = props
  const { line, name, detail, price } = shown
  const used = held.find(({ _id }) => _id === packageOf(line))
  const isOwnAmount = !used && (line.amount !== undefined || price === null)
  const actions = useLineActions(props)
  return (
    <li className={styles.line}>
      <Drawing {...props} />
      <div className={styles.lineText}>
        <bdi className="strong">{name}</bdi>
        {line.kind === 'segment' && detail && <span className="small muted">{t('with', { name: detail })}</span>}
        {used && <span className="small muted">{t('line.isFromPackage', { name: used.name })}</span>}
        <Who {...props} />
        <Quantity {...props} />
      </div>
      {isOwnAmount ? (
        <AmountField
          label={t('line.amountOf', { name })}
          labelHidden
          frameClassName={styles.lineAmount}
          currency={data.currency}
          value={line.amount ?? null}
          onChange={(amount) => onChange({ ...line, amount })}
        />
      ) : (
        <bdi className="strong tabular">{money({ amount: sumOf(shown) ?? 0, currency: data.currency }, true)}</bdi>
      )}
      <ActionMenu label={t('line.more', { name })} icon="more" labelHidden actions={actions} />
    </li>
  )
}

const addable = ['service', 'product', 'package', 'giftCard'] as const
type Adding = (typeof addable)[number] | null

export function TillLines({ till, data }: TillProps) {
  const { t } = useTranslation('till')
  const [adding, setAdding] = useState<Adding>(till.lines.length === 0 ? 'product' : null)
  const { lines, setLines } = till
  const held = useHeldPackages(till)
  const add = (line: Line) => {
    setLines((all) => [...all, line])
    setAdding(null)
  }
  function remove({ line, name }: ShownLine) {
    const before = lines.map((one) => one.line)
    setLines((all) => all.filter(({ key }) => key !== line.key))
    showToast({ type: 'info', title: t('line.removed', { name }), action: { label: t('line.undo'), onAction: () => setLines(before) } })
  }
  return (
    <section aria-label={t('lines')}>
      {lines.length > 0 && (
        <ul className={styles.lines}>
          {lines.map((shown) => (
            <LineRow
              key={shown.line.key}
              shown={shown}
              data={data}
              held={held}
              onChange={(line) => setLines((all) => all.map((one) => (one.key === line.key ? line : one)))}
              onRemove={() => remove(shown)}
            />
          ))}
        </ul>
      )}
      <div className={styles.adds}>
        {addable.map((kind) => (
          <Button
            key={kind}
            variant="soft"
            size="small"
            icon="plus"
            aria-expanded={adding === kind}
            onClick={() => setAdding(adding === kind ? null : kind)}
          >
            {t(`add.${kind}`)}
          </Button>
        ))}
        {!till.discount && (
          <Button variant="text" size="small" onClick={() => till.setDiscount({ kind: 'percent', value: 10, reason: '' })}>
            {t('discount.add')}
          </Button>
        )}
      </div>
      {adding === 'service' && <AddService till={till} data={data} onAdd={add} />}
      {adding === 'product' && <AddProduct data={data} onAdd={add} />}
      {adding === 'package' && <AddPackage data={data} onAdd={add} />}
      {adding === 'giftCard' && <AddGiftCard data={data} onAdd={add} />}
    </section>
  )
}

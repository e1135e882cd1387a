// A product off the shelf, or one that is put there now.
import type { Product } from '@soigne/contract/products'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { AmountField } from '#/amount-field.tsx'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useKeys, type BodyOf } from '#/diary-changes.ts'
import { failureText } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { useMay } from '#/use-may.ts'
import type { Line } from './reckoning.ts'
import type { TillData } from './use-till-data.ts'
import styles from './till.module.css'

type AddProps = { data: TillData; onAdd: (line: Line) => void }

const lineOf = ({ _id }: Product): Line => ({ key: crypto.randomUUID(), kind: 'product', productId: _id, quantity: 1 })

/** Empty: nobody counts it. Null: not a number. */
function countOf(text: string): number | undefined | null {
  if (text.trim() === '') return undefined
  return /^\d{1,5}$/.test(text.trim()) ? Number(text) : null
}

function useNewProduct(onAdd: (product: Product) => void) {
  const queries = useQueryClient()
  const keyOf = useKeys()
  return useMutation({
    mutationFn: (body: BodyOf<'addProduct'>) => dashboardApi.addProduct({ body, idempotencyKey: keyOf(body) }),
    onSuccess: (product) => {
      queries.setQueryData<{ items: Product[] }>(dashboardKeys.sales.products, (known) => ({ items: [...(known?.items ?? []), product] }))
      onAdd(product)
    },
  })
}

function NewProduct({ data, onAdd, onLeave }: AddProps & { onLeave: () => void }) {
  const { t } = useTranslation('till')
  const [name, setName] = useState('')
  const [price, setPrice] = useState<number | null>(null)
  const [stock, setStock] = useState('')
  const make = useNewProduct((product) => onAdd(lineOf(product)))
  const count = countOf(stock)
  const isReady = name.trim() !== '' && price !== null && count !== null
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isReady || price === null || make.isPending) return
    make.mutate({ name: name.trim(), price, ...(count !== undefined && { stock: count }) })
  }
  return (
    <form className={styles.newProduct} onSubmit={submit}>
      <Field label={t('product.name')} value={name} maxLength={80} required autoFocus onChange={({ target }) => setName(target.value)} />
      <AmountField label={t('product.price')} currency={data.currency} value={price} required onChange={setPrice} />
      <Field
        label={t('product.stock')}
        inputMode="numeric"
        value={stock}
        maxLength={5}
        dir="ltr"
        onChange={({ target }) => setStock(target.value)}
        {...(count === null && { error: t('product.stockWrong') })}
      />
      {make.error && (
        <Notice tone="error" announce>
          {failureText(make.error)}
        </Notice>
      )}
      <div className={styles.adds}>
        <Button type="submit" size="small" variant="soft" disabled={!isReady} loading={make.isPending}>
          {t('product.save')}
        </Button>
        <Button variant="text" size="small" onClick={onLeave}>
          {t('product.leave')}
        </Button>
      </div>
    </form>
  )
}

export function AddProduct({ data, onAdd }: AddProps) {
  const { t } = useTranslation('till')
  const money = useMoney()
  const mayMake = useMay('services.change')
  const [isMaking, setMaking] = useState(false)
  if (isMaking)
    return (
      <div className={styles.picker}>
        <NewProduct data={data} onAdd={onAdd} onLeave={() => setMaking(false)} />
      </div>
    )
  return (
    <div className={styles.picker}>
      <ul>
        {data.products.map((product) => (
          <li key={product._id}>
            <button type="button" className={styles.found} onClick={() => onAdd(lineOf(product))}>
              <span>
                <bdi className="medium">{product.name}</bdi>
                {product.stock !== null && <span className="small muted">{t('product.left', { count: product.stock })}</span>}
              </span>
              <bdi className="strong">{money(product.price, true)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {data.products.length === 0 && (
        <p className={styles.noProduct}>
          <Icon name="archive" size={20} />
          {t('product.none')}
        </p>
      )}
      {mayMake && (
        <Button variant="text" size="small" icon="plus" onClick={() => setMaking(true)}>
          {t('product.new')}
        </Button>
      )}
    </div>
  )
}

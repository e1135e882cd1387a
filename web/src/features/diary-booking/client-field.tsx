// Whom a visit is for: a record found by typing, somebody new in two fields, or a walk-in without any.
import type { CustomerRow } from '@soigne/contract/customers'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { latin } from '#/amounts.ts'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Field } from '#/ui/field.tsx'
import type { NewVisit } from './use-booking-changes.ts'
import styles from './booking.module.css'

export type Client =
  | { kind: 'none' }
  | { kind: 'known'; customer: Pick<CustomerRow, '_id' | 'name' | 'phone' | 'visits' | 'noShows'> }
  | { kind: 'new'; name: string; phone: string }
  | { kind: 'walkIn' }

/** As the call wants it: a record, a new one, or neither. */
export function clientPart(client: Client): Pick<NewVisit, 'customerId' | 'customer'> {
  if (client.kind === 'known') return { customerId: client.customer._id }
  if (client.kind !== 'new') return {}
  const [firstName = '', ...rest] = client.name.trim().split(/\s+/)
  const phone = client.phone.trim()
  return { customer: { firstName, ...(rest.length > 0 && { lastName: rest.join(' ') }), ...(phone !== '' && { phone }) } }
}

export const isNamed = (client: Client): boolean => client.kind !== 'none' && (client.kind !== 'new' || client.name.trim() !== '')

function useCustomers(search: string) {
  return useQuery({
    queryKey: dashboardKeys.diary.customers(search),
    queryFn: ({ signal }) => dashboardApi.customers({ query: { search: latin(search), pageSize: 10 } }, { signal }),
    enabled: search.trim().length > 1,
    placeholderData: keepPreviousData,
  })
}

/** Nobody at first, or whom the calendar was opened for: their record is read. */
export function useClient(customerId: string | undefined) {
  const [chosen, setClient] = useState<Client | null>(null)
  const known = useQuery({
    queryKey: dashboardKeys.customers.one(customerId ?? ''),
    queryFn: ({ signal }) => dashboardApi.customer({ params: { id: customerId ?? '' } }, { signal }),
    enabled: customerId !== undefined,
  })
  const ofRecord: Client = known.data ? { kind: 'known', customer: known.data } : { kind: 'none' }
  return { client: chosen ?? ofRecord, isReading: chosen === null && known.isLoading, setClient }
}

function CustomerLine({ customer }: { customer: Extract<Client, { kind: 'known' }>['customer'] }) {
  const { t } = useTranslation('diary')
  return (
    <>
      <FaceImage name={customer.name} size={40} />
      <span className={styles.lines}>
        <span className="medium">
          <bdi>{customer.name}</bdi>
        </span>
        <span className="small muted">
          {customer.phone && <bdi dir="ltr">{customer.phone}</bdi>}
          {customer.phone && ' · '}
          {t('client.visits', { count: customer.visits })}
        </span>
        {customer.noShows > 0 && <span className={styles.missed}>{t('client.noShows', { count: customer.noShows })}</span>}
      </span>
    </>
  )
}

type PeopleProps = { people: readonly CustomerRow[]; onChoose: (client: Client) => void; children?: ReactNode }

function People({ people, onChoose, children }: PeopleProps) {
  const { t } = useTranslation('diary')
  return (
    <ul className={styles.found} aria-label={t('client.found')}>
      {people.map((customer) => (
        <li key={customer._id}>
          <button type="button" className={styles.row} onClick={() => onChoose({ kind: 'known', customer })}>
            <CustomerLine customer={customer} />
          </button>
        </li>
      ))}
      {children}
    </ul>
  )
}

function Found({ search, onChoose }: { search: string; onChoose: (client: Client) => void }) {
  const { t } = useTranslation('diary')
  const wanted = useDeferredValue(search)
  const { data, error } = useCustomers(wanted)
  if (wanted.trim().length < 2) return null
  if (error) return <p className="small muted">{t('client.searchFailed')}</p>
  return (
    <People people={data?.items ?? []} onChoose={onChoose}>
      {data?.items.length === 0 && <li className={styles.nobody}>{t('client.nobody', { search: wanted })}</li>}
    </People>
  )
}

/** Whole numbers, or nearly: fewer digits are in the numbers of many. */
const leastDigits = 8
const isWholeNumber = (phone: string): boolean => latin(phone).replaceAll(/\D/g, '').length >= leastDigits

/** Who has a telephone already: whoever is written down may be one of them, or of their family. */
function SameNumber({ phone, onChoose }: { phone: string; onChoose: (client: Client) => void }) {
  const { t } = useTranslation('diary')
  const wanted = useDeferredValue(phone)
  const { data } = useCustomers(isWholeNumber(wanted) ? wanted : '')
  if (!isWholeNumber(wanted) || !data || data.items.length === 0) return null
  return (
    <div role="status">
      <p className="small muted">{t('client.sameNumber')}</p>
      <People people={data.items} onChoose={onChoose} />
    </div>
  )
}

/** What was typed is a phone number or a name. */
const isPhone = (text: string): boolean => /^[+\d][\d\s().-]*$/.test(latin(text).trim())

function Chosen({ client, onChange }: { client: Extract<Client, { kind: 'known' | 'walkIn' }>; onChange: (client: Client) => void }) {
  const { t } = useTranslation('diary')
  return (
    <section className={styles.field}>
      <h3 className="label-heading">{t('client.title')}</h3>
      <div className={styles.chosen}>
        {client.kind === 'known' ? <CustomerLine customer={client.customer} /> : <span className="medium">{t('walkIn')}</span>}
        <button type="button" className="link" onClick={() => onChange({ kind: 'none' })}>
          {t('change')}
        </button>
      </div>
    </section>
  )
}

function NewClient({ client, onChange }: { client: Extract<Client, { kind: 'new' }>; onChange: (client: Client) => void }) {
  const { t } = useTranslation('diary')
  const set = (part: Partial<typeof client>) => onChange({ ...client, ...part })
  return (
    <section className={styles.field}>
      <p className={styles.fieldHead}>
        <span className="label-heading">{t('client.new')}</span>
        <button type="button" className="link" onClick={() => onChange({ kind: 'none' })}>
          {t('client.search')}
        </button>
      </p>
      <div className={styles.two}>
        <Field
          label={t('fields.name')}
          value={client.name}
          autoComplete="off"
          maxLength={80}
          autoFocus
          onChange={(event) => set({ name: event.target.value })}
        />
        <Field
          label={t('fields.phone')}
          type="tel"
          dir="ltr"
          value={client.phone}
          autoComplete="off"
          maxLength={30}
          onChange={(event) => set({ phone: event.target.value })}
        />
      </div>
      <SameNumber phone={client.phone} onChoose={onChange} />
    </section>
  )
}

export type ClientFieldProps = {
  client: Client
  /** Typing begins here. */
  focused: boolean
  onChange: (client: Client) => void
}

function Search({ focused, onChange }: Omit<ClientFieldProps, 'client'>) {
  const { t } = useTranslation('diary')
  const [search, setSearch] = useState('')
  const asNew = () => onChange({ kind: 'new', name: isPhone(search) ? '' : search.trim(), phone: isPhone(search) ? search.trim() : '' })
  return (
    <section className={styles.field}>
      <Field
        label={t('client.title')}
        type="search"
        value={search}
        placeholder={t('client.searchHint')}
        autoComplete="off"
        maxLength={120}
        start={<Icon name="search" size={19} />}
        data-autofocus={focused || undefined}
        onChange={(event) => setSearch(event.target.value)}
      />
      <Found search={search} onChoose={onChange} />
      <div className={styles.pair}>
        <Button variant="outline" size="small" icon="user" onClick={() => onChange({ kind: 'walkIn' })}>
          {t('walkIn')}
        </Button>
        <Button variant="outline" size="small" icon="plus" onClick={asNew}>
          {t('client.new')}
        </Button>
      </div>
    </section>
  )
}

export function ClientField({ client, focused, onChange }: ClientFieldProps) {
  if (client.kind === 'known' || client.kind === 'walkIn') return <Chosen client={client} onChange={onChange} />
  return client.kind === 'new' ? <NewClient client={client} onChange={onChange} /> : <Search focused={focused} onChange={onChange} />
}

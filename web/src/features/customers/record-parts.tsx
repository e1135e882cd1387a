// Files and signed forms of a client, and who belongs to whom.
import { relationKinds } from '@soigne/contract/customers'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { customerPath } from '#/dashboard-paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { askConfirm } from '#/ui/confirms.ts'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { type RecordProps, useRecordChange } from './use-record.ts'
import { useWhen } from './use-when.ts'
import styles from './record.module.css'

function Files({ customer, onChanged }: RecordProps) {
  const { t } = useTranslation('customers')
  const when = useWhen()
  const chooser = useRef<HTMLInputElement>(null)
  const params = { id: customer._id }
  const add = useRecordChange(onChanged, (file: File) => dashboardApi.addCustomerFile({ params, body: {}, files: { file } }))
  const remove = useRecordChange(onChanged, (fileId: string) => dashboardApi.removeCustomerFile({ params: { ...params, fileId } }))
  return (
    <section>
      <h2 className="d5">{t('files.title')}</h2>
      {customer.files.length === 0 && <p className="muted">{t('files.none')}</p>}
      <ul>
        {customer.files.map(({ _id, name, url, kind, addedAt }) => (
          <li key={_id} className={styles.part}>
            <Icon name={kind === 'image' ? 'image' : 'receipt'} />
            <a href={url} target="_blank" rel="noreferrer" className="link">
              <bdi>{name}</bdi>
            </a>
            <span className="small muted">{when.day(addedAt, customer)}</span>
            <IconButton
              icon="trash"
              label={t('files.remove', { name })}
              onClick={async () => {
                if (await askConfirm({ title: t('files.removeTitle'), message: name })) remove.mutate(_id)
              }}
            />
          </li>
        ))}
      </ul>
      <input
        ref={chooser}
        type="file"
        hidden
        accept="image/jpeg,image/png,image/webp,application/pdf"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) add.mutate(file)
          target.value = ''
        }}
      />
      <Button variant="outline" size="small" icon="plus" loading={add.isPending} onClick={() => chooser.current?.click()}>
        {t('files.add')}
      </Button>
    </section>
  )
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '')

function ConsentForm({ customer, onChanged, onClose }: RecordProps & { onClose: () => void }) {
  const { t } = useTranslation('customers')
  const sign = useRecordChange(onChanged, (body: { title: string; text: string; signedBy: string }) =>
    dashboardApi.addCustomerConsent({ params: { id: customer._id }, body }),
  )
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    sign.mutate({ title: textOf(form, 'title'), text: textOf(form, 'text'), signedBy: textOf(form, 'signedBy') }, { onSuccess: onClose })
  }
  const guardian = customer.relations.find(({ kind, side }) => kind === 'guardian' && side === 'of')
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field label={t('consents.name')} name="title" required maxLength={120} />
      <TextArea label={t('consents.text')} name="text" required maxLength={4000} />
      <Field
        label={t('consents.signedBy')}
        name="signedBy"
        required
        maxLength={80}
        defaultValue={customer.isMinor ? guardian?.name : customer.name}
      />
      <div className={styles.row}>
        <Button type="submit" size="small" loading={sign.isPending}>
          {t('consents.save')}
        </Button>
        <Button variant="text" size="small" onClick={onClose}>
          {t('form.leave')}
        </Button>
      </div>
    </form>
  )
}

function Consents(props: RecordProps) {
  const { t } = useTranslation('customers')
  const when = useWhen()
  const { customer, onChanged } = props
  const [isSigning, setSigning] = useState(false)
  const withdraw = useRecordChange(onChanged, (consentId: string) =>
    dashboardApi.withdrawCustomerConsent({ params: { id: customer._id, consentId } }),
  )
  return (
    <section>
      <h2 className="d5">{t('consents.title')}</h2>
      {customer.consents.length === 0 && <p className="muted">{t('consents.none')}</p>}
      <ul>
        {customer.consents.map((one) => (
          <li key={one._id} className={styles.consent}>
            <details>
              <summary>
                <span className="strong">{one.title}</span>
                <span className="small muted">
                  {one.withdrawnAt
                    ? t('consents.withdrawn', { when: when.day(one.withdrawnAt, customer) })
                    : t('consents.signed', { name: one.signedBy, when: when.day(one.signedAt, customer) })}
                </span>
              </summary>
              <p className={styles.shown}>{one.text}</p>
              {!one.withdrawnAt && (
                <Button variant="text" size="small" onClick={() => withdraw.mutate(one._id)}>
                  {t('consents.withdraw')}
                </Button>
              )}
            </details>
          </li>
        ))}
      </ul>
      {isSigning ? (
        <ConsentForm {...props} onClose={() => setSigning(false)} />
      ) : (
        <Button variant="outline" size="small" icon="edit" onClick={() => setSigning(true)}>
          {t('consents.add')}
        </Button>
      )}
    </section>
  )
}

export function FilesPart(props: RecordProps) {
  return (
    <div className={styles.parts}>
      <Files {...props} />
      <Consents {...props} />
    </div>
  )
}

function Relate({ customer, onChanged, onClose }: RecordProps & { onClose: () => void }) {
  const { t } = useTranslation('customers')
  const [search, setSearch] = useState('')
  const [kind, setKind] = useState<(typeof relationKinds)[number]>(customer.isMinor ? 'guardian' : 'family')
  const asked = { search: search.trim(), pageSize: 10 as const }
  const { data } = useQuery({
    queryKey: dashboardKeys.customers.list(asked),
    queryFn: ({ signal }) => dashboardApi.customers({ query: asked }, { signal }),
    enabled: asked.search.length > 1,
  })
  const relate = useRecordChange(onChanged, (relatedId: string) =>
    dashboardApi.relateCustomer({ params: { id: customer._id, relatedId }, body: { kind } }),
  )
  const found = asked.search.length > 1 ? (data?.items ?? []).filter(({ _id }) => _id !== customer._id) : []
  return (
    <div className={styles.form}>
      <SelectField
        label={t('people.kind')}
        value={kind}
        options={relationKinds.map((value) => ({ value, label: t(`people.kinds.${value}`) }))}
        onChange={({ target }) => setKind(relationKinds.find((one) => one === target.value) ?? 'family')}
      />
      <Field label={t('people.find')} type="search" autoComplete="off" value={search} onChange={({ target }) => setSearch(target.value)} />
      <ul>
        {found.map(({ _id, name }) => (
          <li key={_id}>
            <Button variant="text" size="small" icon="plus" onClick={() => relate.mutate(_id, { onSuccess: onClose })}>
              <bdi>{name}</bdi>
            </Button>
          </li>
        ))}
      </ul>
      <Button variant="text" size="small" onClick={onClose}>
        {t('form.leave')}
      </Button>
    </div>
  )
}

export function PeoplePart(props: RecordProps) {
  const { t } = useTranslation('customers')
  const { customer, onChanged } = props
  const [isAdding, setAdding] = useState(false)
  const remove = useRecordChange(onChanged, (relatedId: string) =>
    dashboardApi.unrelateCustomer({ params: { id: customer._id, relatedId } }),
  )
  return (
    <div className={styles.parts}>
      {customer.relations.length === 0 && <p className="muted">{t('people.none')}</p>}
      <ul>
        {customer.relations.map(({ _id, name, kind, side, age }) => (
          <li key={_id} className={styles.part}>
            <span className="small muted">{t(kind === 'guardian' && side === 'to' ? 'people.guardianOf' : `people.kinds.${kind}`)}</span>
            <Link to={customerPath(_id)} className="link">
              <bdi>{age === null ? name : t('people.withAge', { name, age })}</bdi>
            </Link>
            <IconButton icon="close" label={t('people.remove', { name })} onClick={() => remove.mutate(_id)} />
          </li>
        ))}
      </ul>
      {isAdding ? (
        <Relate {...props} onClose={() => setAdding(false)} />
      ) : (
        <Button variant="outline" size="small" icon="plus" onClick={() => setAdding(true)}>
          {t('people.add')}
        </Button>
      )}
    </div>
  )
}

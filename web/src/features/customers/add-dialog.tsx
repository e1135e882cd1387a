// A new client. Whoever is known by this phone or email is shown first, so that nobody is written down twice.
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { customerPath } from '#/dashboard-paths.ts'
import { ApiError, refusalCode } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Modal } from '#/ui/modal.tsx'
import { Notice } from '#/ui/notice.tsx'
import { nobodyYet, PersonForm, type PersonFields } from './person-form.tsx'
import styles from './customers.module.css'

type Known = { _id: string; name: string }

const knownOf = (error: unknown): Known[] => {
  const found = error instanceof ApiError && refusalCode(error) === 'customer_known' ? error.body.details?.['customers'] : undefined
  return Array.isArray(found) ? (found as Known[]) : []
}

export function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('customers')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const heading = useId()
  const [known, setKnown] = useState<readonly Known[]>([])
  const warnedOf = useRef('')
  async function send(fields: PersonFields) {
    const contact = `${fields.phone} ${fields.email}`
    try {
      // Whoever was warned of this very phone and email means another person.
      const made = await dashboardApi.addCustomer({ body: { ...fields, isAnother: warnedOf.current === contact } })
      await queries.invalidateQueries({ queryKey: dashboardKeys.customers.all })
      onClose()
      await navigate(customerPath(made._id))
    } catch (error) {
      const found = knownOf(error)
      setKnown(found)
      warnedOf.current = found.length > 0 ? contact : ''
      throw error
    }
  }
  const warning = known.length > 0 && (
    <Notice tone="warning" announce title={t('form.knownTitle')}>
      <ul>
        {known.map(({ _id, name }) => (
          <li key={_id}>
            <Link to={customerPath(_id)} className="link">
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
  return (
    <Modal open onClose={onClose} labelledBy={heading} placement="sheet" className={styles.dialog}>
      <h2 id={heading} className="d3">
        {t('addLong')}
      </h2>
      <PersonForm before={nobodyYet} send={send} saveLabel={known.length > 0 ? t('form.another') : t('form.add')} onLeave={onClose}>
        {warning}
      </PersonForm>
    </Modal>
  )
}

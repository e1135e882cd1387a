// A row for each client: on a phone in two lines.
import { Link } from 'react-router'
import { customerPath } from '#/dashboard-paths.ts'
import { useMoney } from '#/platform/money.ts'
import { useTranslation } from '#/platform/translation.ts'
import { FaceImage } from '#/ui/face-image.tsx'
import { Tag } from '#/ui/tag.tsx'
import type { Customers } from './customers-page.tsx'
import { useWhen } from './use-when.ts'
import styles from './customers.module.css'

type Row = Customers['items'][number]

/** What comes today or later says more than what was. */
function useVisitText({ timeZone, now }: Customers) {
  const { t } = useTranslation('customers')
  const when = useWhen()
  const place = { timeZone, now }
  return ({ nextVisitAt, lastVisitAt }: Row): string => {
    if (nextVisitAt) return t('nextOn', { when: when.moment(nextVisitAt, place) })
    return lastVisitAt ? when.day(lastVisitAt, place) : t('never')
  }
}

export function CustomerTable({ customers }: { customers: Customers }) {
  const { t } = useTranslation('customers')
  const visitText = useVisitText(customers)
  const money = useMoney()
  return (
    <table className={styles.rows}>
      <thead>
        <tr>
          <th scope="col">{t('columns.name')}</th>
          <th scope="col">{t('columns.visit')}</th>
          <th scope="col" className={styles.end}>
            {t('columns.visits')}
          </th>
          <th scope="col" className={styles.end}>
            {t('columns.spend')}
          </th>
        </tr>
      </thead>
      <tbody>
        {customers.items.map((row) => (
          <tr key={row._id}>
            <th scope="row">
              <Link to={customerPath(row._id)} className={styles.person}>
                <FaceImage name={row.name} photoUrl={row.imageUrl} size={38} />
                <span className={styles.name}>
                  <bdi className="strong">{row.name}</bdi>
                  {(row.isBlocked || row.tags.length > 0) && (
                    <span className={styles.tags}>
                      {row.isBlocked && <Tag icon="block">{t('blocked')}</Tag>}
                      {row.tags.slice(0, 3).map((tag) => (
                        <Tag key={tag}>{tag}</Tag>
                      ))}
                    </span>
                  )}
                </span>
              </Link>
            </th>
            <td className={styles.visit}>{visitText(row)}</td>
            <td className={styles.count}>
              <span className="tabular desktop-only">{row.visits}</span>
              <span className="mobile-only">{t('visitCount', { count: row.visits })}</span>
            </td>
            <td className={styles.spent}>
              <bdi className="strong tabular">{money(row.spend)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// What disputed payments and refused refunds look like: a list that warns as long as one waits, each line leading to its sale.
import { useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import { salePath } from '#/dashboard-paths.ts'
import styles from './payment-issues.module.css'

export type PaymentIssueProps = {
  timeZone: string
  /** Each leads to its sale, where it has one. */
  leads?: boolean | undefined
}

export function PaymentIssueLine({
  saleId,
  leads,
  children,
}: Pick<PaymentIssueProps, 'leads'> & { saleId: string | null; children: ReactNode }) {
  return (
    <p className="strong">
      {leads && saleId !== null ? (
        <Link to={salePath(saleId)} className="link">
          {children}
        </Link>
      ) : (
        children
      )}
    </p>
  )
}

export function PaymentIssues({ title, waits, children }: { title: string; waits: boolean; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={waits ? styles.waits : styles.settled}>
      <h2 id={id} className="d4">
        {title}
      </h2>
      <ul>{children}</ul>
    </section>
  )
}

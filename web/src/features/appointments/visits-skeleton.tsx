// The geometry of the list of visits while it is on its way.
import { Skeleton } from '#/ui/skeleton.tsx'
import styles from './visits.module.css'

export function VisitsSkeleton() {
  return (
    <>
      <Skeleton height={330} radius={28} />
      <div className={styles.heading}>
        <Skeleton width={120} height={24} />
      </div>
      {[0, 1, 2].map((index) => (
        <div key={index} className={styles.row}>
          <Skeleton height={60} />
          <Skeleton height={76} radius={12} />
          <Skeleton width="60%" height={40} />
        </div>
      ))}
    </>
  )
}

// The geometry of a day's times while they are on their way.
import { Skeleton } from '#/ui/skeleton.tsx'
import styles from './time-chooser.module.css'

export function TimesSkeleton() {
  return (
    <div className={styles.times}>
      <div className={styles.waiting}>
        {Array.from({ length: 12 }, (_, index) => (
          <Skeleton key={index} height={48} radius={10} />
        ))}
      </div>
    </div>
  )
}

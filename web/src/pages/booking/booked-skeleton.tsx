// The place of what was booked, before it is there.
import { Skeleton } from '#/ui/skeleton.tsx'

export const BookedSkeleton = () => <Skeleton height={560} radius={28} />

// Shows something heavy only when it comes near the window.
import { useEffect, useRef, useState, type ReactNode } from 'react'

export function WhenNear({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true), {
      rootMargin: '300px',
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  return <div ref={place}>{isNear && children}</div>
}

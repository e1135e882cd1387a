// A page that stays open goes on telling the truth: it is asked for again soon after it came, now and then while somebody looks at it, and when they come back to it.
import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigation, useRevalidator } from 'react-router'

/** A page may come some seconds old. */
const firstLookMs = 5_000
const lookAgainMs = 30_000
/** Who is away for less finds the page as it was. */
const awayMs = 5_000

/** A page whose loader cannot be asked would give way to its error; so the way to the server is tried first. */
async function isServerThere(): Promise<boolean> {
  const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null)
  return answer?.ok ?? false
}

type FreshPageProps = {
  /** Queries whose answers change by what others do. */
  queries: QueryKey
}

export function FreshPage({ queries: queryKey }: FreshPageProps) {
  const queries = useQueryClient()
  const { state: navigating } = useNavigation()
  const { state: revalidating, revalidate } = useRevalidator()
  const isBusy = navigating !== 'idle' || revalidating !== 'idle'
  const latest = useRef({ isBusy, revalidate, queryKey })
  useEffect(() => {
    latest.current = { isBusy, revalidate, queryKey }
  })
  useEffect(() => {
    let leftAt: number | null = null
    async function look() {
      if (document.hidden || !(await isServerThere()) || latest.current.isBusy) return
      void queries.invalidateQueries({ queryKey: latest.current.queryKey })
      void latest.current.revalidate()
    }
    function comeOrGo() {
      if (document.hidden) leftAt = Date.now()
      else if (leftAt !== null && Date.now() - leftAt >= awayMs) void look()
    }
    // A page taken out of the browser's drawer was never reloaded.
    function onPageShow({ persisted }: PageTransitionEvent) {
      if (persisted) void look()
    }
    const first = setTimeout(() => void look(), firstLookMs)
    const again = setInterval(() => void look(), lookAgainMs)
    document.addEventListener('visibilitychange', comeOrGo)
    window.addEventListener('pageshow', onPageShow)
    return () => {
      clearTimeout(first)
      clearInterval(again)
      document.removeEventListener('visibilitychange', comeOrGo)
      window.removeEventListener('pageshow', onPageShow)
    }
  }, [queries])
  return null
}

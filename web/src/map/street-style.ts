// Whether the street map can be shown: its style answers in time, and the browser can draw it.
import { useEffect, useState } from 'react'

const patienceMs = 4000
const answers = new Map<string, Promise<boolean>>()

function canDraw(): boolean {
  return document.createElement('canvas').getContext('webgl2') !== null
}

async function reach(styleUrl: string): Promise<boolean> {
  if (!canDraw()) return false
  try {
    const response = await fetch(styleUrl, { signal: AbortSignal.timeout(patienceMs) })
    return response.ok
  } catch {
    return false
  }
}

/** False until it is certain; the paper map stands meanwhile, and stays when the streets cannot come. */
export function useStreetStyle(styleUrl: string | null): boolean {
  const [reached, setReached] = useState(false)
  useEffect(() => {
    if (!styleUrl) return
    let wanted = true
    const asked = answers.get(styleUrl) ?? reach(styleUrl)
    answers.set(styleUrl, asked)
    void asked.then((ok) => {
      if (wanted) setReached(ok)
    })
    return () => {
      wanted = false
    }
  }, [styleUrl])
  return styleUrl !== null && reached
}

// A form of one field: what is wrong stands at it, and what was typed stays.
import { useState, type FormEvent } from 'react'
import { failureText, fieldFailures } from '#/platform/api-error.ts'

export function useOneField(name: string, { missing, send }: { missing: string; send: (value: string) => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function take(value: string) {
    setBusy(true)
    setProblem(undefined)
    try {
      await send(value)
    } catch (error) {
      setProblem(fieldFailures(error)[name] ?? failureText(error))
    } finally {
      setBusy(false)
    }
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const value = new FormData(event.currentTarget).get(name)
    if (typeof value === 'string' && value.trim() !== '') void take(value)
    else setProblem(missing)
  }
  return { busy, problem, submit }
}

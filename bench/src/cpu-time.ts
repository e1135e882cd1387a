/** Processor time of processes, from /proc: in milliseconds, of Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

const tickMs = 10

interface Process {
  pid: number
  parent: number
  ms: number
}

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8')
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
        const number = (at: number): number => Number(fields[at])
        // utime, stime and those of children that have ended.
        return [{ pid: Number(name), parent: number(1), ms: (number(11) + number(12) + number(13) + number(14)) * tickMs }]
      } catch {
        return []
      }
    })
}

/** What processes and all their descendants have used, each counted once: the database may be a child of the product. */
export function cpuOf(...roots: readonly number[]): number {
  const all = processes()
  const family = new Set(roots)
  for (let grew = true; grew;) {
    grew = false
    for (const { pid, parent } of all)
      if (family.has(parent) && !family.has(pid)) {
        family.add(pid)
        grew = true
      }
  }
  return all.filter(({ pid }) => family.has(pid)).reduce((sum, { ms }) => sum + ms, 0)
}

/** 0 when there is no such process. */
export const parentOf = (child: number): number => processes().find(({ pid }) => pid === child)?.parent ?? 0

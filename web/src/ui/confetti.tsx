// A hundred petals, once, from behind the dialog. Where movement is unwelcome they lie still for a moment.
import { useEffect, useRef, useState } from 'react'
import { papers } from '#/theme/art/papers.ts'
import { randomFrom } from '#/theme/art/random.ts'
import { petalPath } from '#/theme/icons/petal.tsx'
import styles from './confetti.module.css'

export const confettiCount = 100

const colours = [papers.clay, papers.plum, papers.rose, papers.ochre, papers.sage, papers.mauve, papers.blush]
const stillMs = 1200
/** Frames until the last petal is gone: 1.8 s at sixty a second. */
const flightTicks = 108

async function throwPetals(canvas: HTMLCanvasElement, isWanted: () => boolean): Promise<void> {
  const { default: confetti } = await import('canvas-confetti')
  if (!isWanted()) return
  const petal = confetti.shapeFromPath({ path: petalPath })
  const launch = confetti.create(canvas, { resize: true, useWorker: false })
  await launch({
    particleCount: confettiCount,
    shapes: [petal],
    colors: colours,
    spread: 130,
    startVelocity: 38,
    gravity: 0.7,
    decay: 0.92,
    scalar: 1.5,
    ticks: flightTicks,
    origin: { x: 0.5, y: 0.52 },
    disableForReducedMotion: true,
  })
}

function StillPetals() {
  const [shown, setShown] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), stillMs)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return null
  const random = randomFrom('still petals')
  return (
    <svg className={styles.place} viewBox="0 0 1000 1000" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {Array.from({ length: confettiCount }, (_, index) => (
        <path
          key={index}
          d={petalPath}
          fill={colours[index % colours.length]}
          transform={`translate(${Math.round(random() * 1000)} ${Math.round(random() * 1000)}) rotate(${Math.round(random() * 360)}) scale(.4)`}
        />
      ))}
    </svg>
  )
}

export function Confetti() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [still] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches)
  useEffect(() => {
    if (still || !canvas.current) return
    let wanted = true
    // Petals are a courtesy: an alert is complete without them.
    throwPetals(canvas.current, () => wanted).catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [still])
  return still ? <StillPetals /> : <canvas ref={canvas} className={styles.place} aria-hidden="true" />
}

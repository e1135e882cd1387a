// The two halves of the account screens: a form, and three windows of cut paper on wide screens.
import type { ReactNode } from 'react'
import { CoverImage } from '#/ui/cover-image.tsx'
import styles from './account-frame.module.css'

type Scene = readonly { category: string; seed: string; height: number }[]

const scenes = {
  login: [
    { category: 'hair', seed: 'login', height: 68 },
    { category: 'massage', seed: 'stones', height: 86 },
    { category: 'eyebrows', seed: 'closed', height: 56 },
  ],
  register: [
    { category: 'nails', seed: 'five', height: 58 },
    { category: 'barbering', seed: 'comb', height: 82 },
    { category: 'makeup', seed: 'swatch', height: 66 },
  ],
  reset: [
    { category: 'counseling', seed: 'thread', height: 72 },
    { category: 'skincare', seed: 'drops', height: 56 },
    { category: 'tatto', seed: 'feather', height: 84 },
  ],
} satisfies Record<string, Scene>

export type AccountFrameProps = {
  scene: keyof typeof scenes
  title: ReactNode
  text?: ReactNode
  children: ReactNode
}

export function AccountFrame({ scene, title, text, children }: AccountFrameProps) {
  return (
    <div className={styles.frame}>
      <div className={styles.form}>
        <div>
          <h1 className={`d2 ${styles.title}`}>{title}</h1>
          {text && <p className={`lede ${styles.text}`}>{text}</p>}
          {children}
        </div>
      </div>
      <div className={styles.scene} aria-hidden="true">
        {scenes[scene].map(({ category, seed, height }) => (
          <div key={seed} className={styles.window} style={{ blockSize: `${height}%` }}>
            <CoverImage category={category} seed={seed} shape="panel" eager />
          </div>
        ))}
      </div>
    </div>
  )
}

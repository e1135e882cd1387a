// A form in one half of the screen; on wide screens three windows of cut paper in the other.
import type { ReactNode } from 'react'
import { CoverImage } from './cover-image.tsx'
import styles from './form-page.module.css'

/** The windows from the start to the end of the line; heights are percentages of the band. */
export type Scene = readonly { category: string; seed: string; height: number }[]

export type FormPageProps = {
  scene: Scene
  title: ReactNode
  text?: ReactNode
  children: ReactNode
}

export function FormPage({ scene, title, text, children }: FormPageProps) {
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
        {scene.map(({ category, seed, height }) => (
          <div key={seed} className={styles.window} style={{ blockSize: `${height}%` }}>
            <CoverImage category={category} seed={seed} shape="panel" eager />
          </div>
        ))}
      </div>
    </div>
  )
}

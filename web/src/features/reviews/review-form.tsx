// Four grades, words and pictures of one visit. Whatever goes wrong, nothing that was chosen or typed is lost.
import type { GradeName, Review } from '@soigne/contract/reviews'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent, type RefObject } from 'react'
import { gradeNames } from '#/contract/closed-lists.ts'
import { reviewLength } from '#/contract/limits.ts'
import { api } from '#/platform/api.ts'
import { failureText, fieldFailures, refusalCode } from '#/platform/api-error.ts'
import { useList } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import { type Grade, GradeRow } from './grade-row.tsx'
import { PicturePicker } from './picture-picker.tsx'
import styles from './review-form.module.css'

type Grades = Record<GradeName, Grade | null>
const none: Grades = { welcoming: null, hygiene: null, atmosphere: null, serviceQuality: null }

type Written = { grades: Record<GradeName, Grade>; text: string; pictures: readonly File[] }

const isComplete = (grades: Grades): grades is Record<GradeName, Grade> => gradeNames.every((name) => grades[name] !== null)

function useWriting(id: string, onWritten: () => void) {
  const queries = useQueryClient()
  const key = queryKeys.reviews.ofVisit(id)
  return useMutation({
    mutationFn: ({ grades, text, pictures }: Written) =>
      api.writeReview({ params: { id }, body: { ...grades, text }, files: pictures.length === 0 ? {} : { pictures } }),
    onSuccess: async (review: Review) => {
      queries.setQueryData(key, (before: object | undefined) => before && { ...before, review, mayReview: false, reason: null })
      void queries.invalidateQueries({ queryKey: queryKeys.reviews.all })
      onWritten()
    },
    onError: (error) => {
      // The answer to an earlier sending was lost: it is there.
      if (refusalCode(error) === 'already_reviewed') void queries.invalidateQueries({ queryKey: key })
    },
  })
}

/** By its place, what the server said of a picture: `pictures.1`. */
function pictureErrors(error: unknown): Record<number, string> {
  const found = Object.entries(fieldFailures(error)).filter(([name]) => name.startsWith('pictures'))
  return Object.fromEntries(found.map(([name, why]) => [Number(name.split('.')[1] ?? 0), why]))
}

type Firsts = RefObject<Partial<Record<GradeName, HTMLInputElement | null>>>
type QuestionsProps = { grades: Grades; isAsked: boolean; firsts: Firsts; onChange: (change: (before: Grades) => Grades) => void }

function Questions({ grades, isAsked, firsts, onChange }: QuestionsProps) {
  return (
    <div>
      {gradeNames.map((name) => (
        <GradeRow
          key={name}
          name={name}
          value={grades[name]}
          isMissing={isAsked && grades[name] === null}
          first={(element) => {
            firsts.current[name] = element
          }}
          onChange={(value) => onChange((before) => ({ ...before, [name]: value }))}
        />
      ))}
    </div>
  )
}

type WordsProps = { author: string; text: string; error: string | undefined; onChange: (text: string) => void }

function Words({ author, text, error, onChange }: WordsProps) {
  const { t } = useTranslation('review-form')
  return (
    <div>
      <TextArea
        label={t('form.words')}
        labelEnd={<span className="small muted">{t('form.optional')}</span>}
        hint={t('form.shownAs', { author })}
        error={error}
        rows={5}
        dir="auto"
        maxLength={reviewLength}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      <p role="status" className="small muted tabular">
        {text.length > reviewLength * 0.8 && t('form.left', { length: text.length, most: reviewLength })}
      </p>
    </div>
  )
}

export type ReviewFormProps = {
  id: string
  /** The name it will be shown with. */
  author: string
  onClose: () => void
  onDone: () => void
}

export function ReviewForm({ id, author, onClose, onDone }: ReviewFormProps) {
  const { t } = useTranslation('review-form')
  const list = useList()
  const [grades, setGrades] = useState<Grades>(none)
  const [text, setText] = useState('')
  const [pictures, setPictures] = useState<readonly File[]>([])
  const [isAsked, setIsAsked] = useState(false)
  const firsts = useRef<Partial<Record<GradeName, HTMLInputElement | null>>>({})
  const write = useWriting(id, () => {
    showToast({ type: 'success', title: t('form.thanks') })
    onDone()
  })
  const missing = gradeNames.filter((name) => grades[name] === null)
  function submit(event: FormEvent) {
    event.preventDefault()
    setIsAsked(true)
    if (isComplete(grades)) write.mutate({ grades, text: text.trim(), pictures })
    else firsts.current[missing[0] ?? 'welcoming']?.focus()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Questions grades={grades} isAsked={isAsked} firsts={firsts} onChange={setGrades} />
      <Words author={author} text={text} error={fieldFailures(write.error)['text']} onChange={setText} />
      <PicturePicker
        pictures={pictures}
        errors={pictureErrors(write.error)}
        onChange={(next) => {
          setPictures(next)
          // What was said of pictures by their place is true of these no more.
          if (write.error) write.reset()
        }}
      />
      {write.error && (
        <Notice tone="error" announce>
          {failureText(write.error)}
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button type="submit" loading={write.isPending}>
          {t('form.publish')}
        </Button>
        <Button variant="text" onClick={onClose}>
          {t('form.cancel')}
        </Button>
        {missing.length > 0 && missing.length < gradeNames.length && (
          <p className="small muted">{t('form.missing', { names: list(missing.map((name) => t(`grades.${name}`))) })}</p>
        )}
      </div>
    </form>
  )
}

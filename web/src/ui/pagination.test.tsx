import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, describe, expect, it } from 'vitest'
import { Pagination } from './pagination.tsx'

function show(page: number, pageSize: number, total: number) {
  render(
    <MemoryRouter>
      <Pagination
        page={page}
        pageSize={pageSize}
        total={total}
        hrefFor={(place) => `/sales?page=${place.page}&size=${place.pageSize}`}
        labels={{
          navigation: 'Pages',
          previous: 'Previous',
          next: 'Next',
          pageSize: 'Page size',
          range: (from, to, all) => `${from}–${to} of ${all}`,
        }}
      />
    </MemoryRouter>,
  )
}

const link = (name: string) => screen.getByRole('link', { name })

afterEach(cleanup)

describe('the pages of a list', () => {
  it('say the range and lead to the ones beside', () => {
    show(2, 20, 214)
    expect(screen.getByText('21–40 of 214')).toBeTruthy()
    expect(link('Previous').getAttribute('href')).toBe('/sales?page=1&size=20')
    expect(link('Next').getAttribute('href')).toBe('/sales?page=3&size=20')
  })

  it('end where the list ends', () => {
    show(11, 20, 214)
    expect(screen.getByText('201–214 of 214')).toBeTruthy()
    expect(link('Next').getAttribute('aria-disabled')).toBe('true')
    expect(link('Next').hasAttribute('href')).toBe(false)
  })

  it('offer 10, 20, 30, 40 and 50, and keep the first row in view', () => {
    show(3, 20, 214)
    expect(['10', '20', '30', '40', '50'].map((size) => link(size).getAttribute('href'))).toEqual([
      '/sales?page=5&size=10',
      '/sales?page=3&size=20',
      '/sales?page=2&size=30',
      '/sales?page=2&size=40',
      '/sales?page=1&size=50',
    ])
    expect(link('20').getAttribute('aria-current')).toBe('true')
  })

  it('of an empty list have nowhere to go', () => {
    show(1, 10, 0)
    expect(screen.getByText('0–0 of 0')).toBeTruthy()
    expect(link('Previous').getAttribute('aria-disabled')).toBe('true')
    expect(link('Next').getAttribute('aria-disabled')).toBe('true')
  })
})

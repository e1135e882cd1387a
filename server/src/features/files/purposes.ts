/** What files are for, and what becomes of them on their way in. */
import type { PictureShape } from '#/platform/decoder.ts'

interface PicturePurpose {
  kind: 'image'
  /** Served to whoever has a signed address only. */
  isPrivate: boolean
  shape: PictureShape
}
interface DocumentPurpose {
  kind: 'document'
  isPrivate: boolean
  /** Kept as it came; what it is, its bytes tell. */
  types: readonly string[]
}

/** What a telephone takes today is 12 to 50 megapixels; what a browser sends is made smaller. */
export const mostPixels = 40_000_000

export const purposes = {
  profile_picture: { kind: 'image', isPrivate: false, shape: { fit: 'square', sizes: [96, 320, 512], pixels: mostPixels } },
  member_picture: { kind: 'image', isPrivate: false, shape: { fit: 'square', sizes: [96, 320, 512], pixels: mostPixels } },
  institute_picture: { kind: 'image', isPrivate: false, shape: { fit: 'inside', sizes: [96, 320, 640, 1280], pixels: mostPixels } },
  institute_logo: { kind: 'image', isPrivate: false, shape: { fit: 'square', sizes: [96, 320, 512], pixels: mostPixels } },
  review_picture: { kind: 'image', isPrivate: false, shape: { fit: 'inside', sizes: [96, 320, 640, 1280], pixels: mostPixels } },
  message_picture: { kind: 'image', isPrivate: true, shape: { fit: 'inside', sizes: [320, 1280], pixels: mostPixels } },
  customer_picture: { kind: 'image', isPrivate: true, shape: { fit: 'inside', sizes: [320, 1280], pixels: mostPixels } },
  // Papers that are read: a page of A4 stays legible.
  business_picture: { kind: 'image', isPrivate: true, shape: { fit: 'inside', sizes: [320, 2400], pixels: mostPixels } },
  business_document: { kind: 'document', isPrivate: true, types: ['application/pdf'] },
  customer_document: { kind: 'document', isPrivate: true, types: ['application/pdf'] },
  message_document: { kind: 'document', isPrivate: true, types: ['application/pdf'] },
} as const satisfies Record<string, PicturePurpose | DocumentPurpose>

export type Purpose = keyof typeof purposes

/** Sent for an institute that is not published yet: they wait longer than others to be used. */
export const waitingPurposes = ['institute_picture', 'institute_logo'] as const satisfies readonly Purpose[]

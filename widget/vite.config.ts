/** How the widget is built: two scripts without anything beside them, already compressed. */
import { defineConfig } from 'vite'
import { compressAssets } from '../console/build/compress-assets.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [compressAssets()],
  build: {
    target: 'baseline-widely-available',
    lib: { entry: { 'atrium-chat': 'src/atrium-chat.ts', frame: 'src/frame.ts' }, formats: ['es'] },
    rolldownOptions: { output: { minify: true } },
  },
})

#!/usr/bin/env node
/** What npm links as the command: it links only files that are there before the build. */
import './dist/atrium.js'

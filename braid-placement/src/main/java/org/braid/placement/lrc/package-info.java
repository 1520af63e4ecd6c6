/**
 * Encoding-aware replication for codes with local groups (EAR section 3.5): limits on the blocks of
 * a stripe and of a substripe in a rack. For studies: conversion does not know these limits.
 */
@NullMarked
package org.braid.placement.lrc;

import org.jspecify.annotations.NullMarked;

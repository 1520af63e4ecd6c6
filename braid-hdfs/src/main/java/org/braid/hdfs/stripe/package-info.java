/**
 * The model of a stripe: its code, its members, their homes, and the NameNode's present knowledge
 * of them. Only {@code StripeCodec} and {@code StatusCodec} convert these types into messages and
 * back, and only {@code StripeAttribute} into the persisted form.
 */
@NullMarked
package org.braid.hdfs.stripe;

import org.jspecify.annotations.NullMarked;

/**
 * What there is to know of a stripe: its code, its members, where they belong, and what the
 * NameNode knows of them now. {@code StripeCodec} and {@code StatusCodec} are the only ones that
 * turn these types into messages and back, {@code StripeAttribute} into what is persisted.
 */
@NullMarked
package org.braid.hdfs.stripe;

import org.jspecify.annotations.NullMarked;
